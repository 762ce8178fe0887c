import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";
import { frameAt, loss, repair } from "../trace/fixtures";
import { layoutBeside } from "./side-by-side";
import { layoutStage, type StageLayout } from "./stage";
import type { StageRequest } from "./stage-request";
import { stageRequest } from "./stage-request-fixture";

function requestOf(frame: Frame, extra: number): StageRequest {
  return stageRequest(frame, {
    width: 500,
    cards: false,
    dense: true,
    extraLines: (broker) => (broker === 1 ? extra : 0),
  });
}

const placesOf = ({ rows }: StageLayout) =>
  new Map(rows.map(({ broker, y, height, cellY }) => [broker, { y, height, cellY }]));

describe("two stages next to each other", () => {
  const one = requestOf(frameAt(repair, 1), 2);
  const two = requestOf(frameAt(repair, -1), 0);

  it("have the row of a broker, and its cells, at the same height", () => {
    expect(placesOf(layoutStage(one))).not.toEqual(placesOf(layoutStage(two)));

    expect(placesOf(layoutBeside(one, two))).toEqual(placesOf(layoutBeside(two, one)));
  });

  it("have an offset at the same distance from the left", () => {
    const longer = requestOf(frameAt(loss, -1), 0);
    const [here, there] = [layoutBeside(one, longer).axis, layoutBeside(longer, one).axis];

    expect([here.lowest, here.highest, here.pitch]).toEqual([
      there.lowest,
      there.highest,
      there.pitch,
    ]);
  });

  it("put a broker that only one of them has below the others", () => {
    const frame = structuredClone(two.frame) as unknown as {
      state: {
        replicas: Record<string, Record<string, unknown>>;
        partitions: Record<string, { replicas: number[] }>;
      };
    };
    const partition = frame.state.partitions["t-0"];
    if (partition === undefined) throw new Error("no partition");
    partition.replicas = partition.replicas.filter((broker) => broker !== 1);
    delete frame.state.replicas["t-0"]?.["1"];
    const fewer = { ...two, frame: frame as unknown as Frame };

    const [here, there] = [layoutBeside(one, fewer), layoutBeside(fewer, one)];

    expect(here.rows.at(-1)?.broker).toBe(1);
    expect(here.rows.slice(0, -1).map(({ broker, y }) => [broker, y])).toEqual(
      there.rows.map(({ broker, y }) => [broker, y]),
    );
  });
});
