import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";
import { frameAt, repair } from "../trace/fixtures";
import { isSame } from "./folding";
import { layoutMinimap, offsetAt } from "./minimap";
import { layoutStage } from "./stage";
import { stageRequest } from "./stage-request-fixture";

/** A frame whose two logs are a hundred records long; the second differs from offset 90 on. */
function longLogs(): Frame {
  const frame = frameAt(repair, 1);
  const replica = frame.state.replicas["t-0"]?.["1"];
  const record = replica?.log[0];
  if (replica === undefined || record === undefined) throw new Error("no log");
  const log = Array.from({ length: 100 }, (_, offset) => ({ ...record, offset, id: `r${offset}` }));
  const long = {
    ...replica,
    log,
    log_end_offset: 100,
    high_watermark: 50,
    epoch_cache: [
      [0, 0],
      [1, 60],
    ] as const,
    diverging_offsets: [],
  };
  const diverging = { ...long, diverging_offsets: [90, 91, 92] };
  return {
    ...frame,
    events: [],
    state: { ...frame.state, replicas: { "t-0": { "1": long, "2": diverging } } },
  };
}

function stage(frame: Frame, looksAt: number | null = null) {
  return layoutStage(stageRequest(frame, { looksAt }));
}

describe("the minimap", () => {
  it("is there for logs that are too long for the stage, and only for them", () => {
    const short = frameAt(repair, 1);

    expect(layoutMinimap(short, "t-0", [1, 2], stage(short).axis)).toBeNull();
    expect(layoutMinimap(longLogs(), "t-0", [1, 2], stage(longLogs()).axis)?.rows).toHaveLength(2);
  });

  it("draws all of each log to scale: epochs, high watermark, what diverges", () => {
    const map = layoutMinimap(longLogs(), "t-0", [1, 2], stage(longLogs()).axis);
    const [one, two] = map?.rows ?? [];
    const perOffset = (map?.width ?? 0) / 101;

    expect(one?.epochs.map(({ x, tint }) => [Math.round(x / perOffset), tint])).toEqual([
      [0, 0],
      [60, 1],
    ]);
    expect(one?.highWatermarkX).toBeCloseTo(50 * perOffset);
    expect(one?.diverging).toEqual([]);
    expect(two?.diverging).toHaveLength(1);
    expect(two?.diverging[0]?.x).toBeCloseTo(90 * perOffset);
  });

  it("marks the offsets that the stage shows, which move to where a person looks", () => {
    const { axis } = stage(longLogs(), 30);
    const map = layoutMinimap(longLogs(), "t-0", [1, 2], axis);
    const perOffset = (map?.width ?? 0) / 101;

    expect(axis.folds).toHaveLength(2);
    expect(map?.shown).toHaveLength(1);
    expect(map?.shown[0]?.x).toBeLessThan(30 * perOffset);
    expect((map?.shown[0]?.x ?? 0) + (map?.shown[0]?.width ?? 0)).toBeGreaterThan(31 * perOffset);
  });

  it("turns a place of it into an offset, at most its first and its last", () => {
    const axis = { lowest: 20, highest: 119 };

    expect([0, 0.5, 1, 7, -1].map((share) => offsetAt(axis, share))).toEqual([
      20, 70, 119, 119, 20,
    ]);
  });
});

describe("a fold", () => {
  it("is the same in every log only if all have it and none diverges in it", () => {
    const frame = longLogs();

    expect(isSame(frame, "t-0", { from: 10, to: 40 })).toBe(true);
    expect(isSame(frame, "t-0", { from: 80, to: 95 })).toBe(false);
    expect(isSame(frame, "t-0", { from: 95, to: 100 })).toBe(false);
  });
});
