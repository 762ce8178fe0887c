import { describe, expect, it } from "vitest";

import { layoutStage, type StageLayout } from "../../layout/stage";
import { stageRequest } from "../../layout/stage-request-fixture";
import type { Frame } from "../../trace";
import { frameAt, loss } from "../../trace/fixtures";
import { plannedHeight } from "./planned-height";

function layoutOf(frame: Frame): StageLayout[] {
  return [layoutStage(stageRequest(frame))];
}

describe("the planned height of a stage", () => {
  const [empty, last] = [frameAt(loss, 0), frameAt(loss, -1)];

  it("is that of the tallest frame, wherever it is", () => {
    const tall = plannedHeight([last], layoutOf);

    expect(plannedHeight([empty], layoutOf)).toBeLessThan(tall);
    expect(plannedHeight([empty, last], layoutOf)).toBe(tall);
    expect(plannedHeight([last, empty], layoutOf)).toBe(tall);
  });

  it("has a line for each client beside the logs", () => {
    const clients = {
      ...last.state.clients,
      produced: last.state.clients.produced.slice(0, 1),
      consumed: [],
      consumers: {},
    };
    const one = { ...last, state: { ...last.state, clients } };
    const two = {
      ...last,
      state: { ...last.state, clients: { ...clients, consumers: { c1: { "t-0": 1 } } } },
    };

    expect(plannedHeight([two], layoutOf) - plannedHeight([one], layoutOf)).toBe(36);
  });

  it("has a head above each column, on two lines if it is narrow", () => {
    const columnsOf = (width: number) =>
      layoutOf(last).flatMap((layout) =>
        ["t-0", "t-1"].map((partition) => ({
          ...layout,
          width,
          column: { from: 0, first: true, partitions: [] },
          partition,
        })),
      );

    expect(plannedHeight([last], () => columnsOf(400)) - plannedHeight([last], layoutOf)).toBe(57);
    expect(plannedHeight([last], () => columnsOf(700)) - plannedHeight([last], layoutOf)).toBe(39);
  });

  it("lays out a sample of a long run, with its last frame", () => {
    const laid: number[] = [];
    const frames = Array.from({ length: 10_000 }, (_, at) => ({ ...empty, frame: at }));

    plannedHeight(frames, (frame) => (laid.push(frame.frame), layoutOf(empty)));

    expect(laid.length).toBeLessThanOrEqual(121);
    expect(laid.at(-1)).toBe(9_999);
  });
});
