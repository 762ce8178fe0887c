import { describe, expect, it } from "vitest";

import { layoutStage } from "../../layout/stage";
import { stageRequest } from "../../layout/stage-request-fixture";
import type { Frame } from "../../trace";
import { frameAt, loss } from "../../trace/fixtures";
import { fitting, scaled, tallest, whatMatters } from "./player-size";

const request = (frame: Frame) =>
  stageRequest(frame, { width: 800, cards: false, dense: true, cutLabels: () => ["", ""] });

describe("what fits", () => {
  it("gives up the lane, then the epochs, then the words beside the logs", () => {
    const heights = [300, 300, 240, 240, 180];

    expect(fitting(345, heights, 45)).toEqual({ detail: "all", lane: true });
    expect(fitting(344, heights, 45)).toEqual({ detail: "all", lane: false });
    expect(fitting(284, heights, 45)).toEqual({ detail: "withoutEpochs", lane: false });
    expect(fitting(100, heights, 45)).toEqual({ detail: "names", lane: false });
  });

  it("keeps the lane without the epochs if that leaves room for it", () => {
    expect(fitting(299, [300, 300, 240, 240, 180], 45)).toEqual({
      detail: "withoutEpochs",
      lane: true,
    });
  });

  it("draws the logs smaller at the whole width, and not at all if they could not be read", () => {
    const layoutAt = (width: number) =>
      layoutStage({ ...request(frameAt(loss, -1)), detail: "names", width });
    const height = layoutAt(320).height;
    const small = scaled(height * 0.7, 320, layoutAt);

    expect(scaled(height, 320, layoutAt)?.scale).toBe(1);
    expect(small?.scale).toBeCloseTo(0.7);
    expect(small?.layout.width).toBeCloseTo(320 / 0.7);
    expect(scaled(height * 0.5, 320, layoutAt)).toBeNull();
  });

  it("draws two rows without the offsets above them where they would be too small with them", () => {
    const layoutAt = (withOffsets: boolean) => (width: number) =>
      layoutStage({ ...request(frameAt(loss, -1)), detail: "names", width, withOffsets });
    const room = layoutAt(true)(320).height * 0.6;

    expect(scaled(room, 320, layoutAt(true))?.scale).toBeCloseTo(0.6);
    expect(scaled(room, 320, layoutAt(false))?.scale).toBeCloseTo(0.7);
  });

  it("takes less room with each thing given up", () => {
    const [all = 0, , withoutEpochs = 0, , names = 0] = tallest(
      loss.map((frame) => ({ frame, previous: null, partition: "t-0" })),
      request,
    );

    expect(all).toBeGreaterThan(withoutEpochs);
    expect(withoutEpochs).toBeGreaterThan(names);
    expect(names).toBeLessThanOrEqual(34 + 2 * 74);
  });

  it("keeps the rows of whom the step is about and of who leads, and the offsets if these leave them large", () => {
    const frame = frameAt(loss, -1);
    const partition = Object.keys(frame.state.partitions)[0] ?? "";
    const of = frame.state.partitions[partition];
    const broker = Object.values(frame.state.brokers)[0];
    const many = {
      ...frame,
      events: [{ ...frame.events[0], numbers: { broker: 4 } }],
      state: {
        ...frame.state,
        brokers: Object.fromEntries([1, 2, 3, 4, 5].map((id) => [id, broker])),
        partitions: { [partition]: { ...of, replicas: [1, 2, 3, 4, 5], leader: 5, isr: [5] } },
      },
    } as unknown as typeof frame;

    expect(whatMatters(many, partition, 180)).toEqual({ brokers: [4, 5], withOffsets: true });
    expect(whatMatters(many, partition, 1000)).toEqual({
      brokers: [1, 2, 3, 4, 5],
      withOffsets: true,
    });
    expect(whatMatters(many, partition, 120)).toEqual({ brokers: [4, 5], withOffsets: false });
  });
});
