import { describe, expect, it } from "vitest";

import type { Frame, FrameEntry } from "../trace";

import { withNewFrames } from "./new-frames";

const held = [0, 1, 2].map(
  (number) => ({ frame: number, state: { time_ms: number } }) as unknown as Frame,
);
const whole = (number: number): FrameEntry =>
  ({ frame: number, state: { time_ms: number } }) as unknown as FrameEntry;
const patched = (number: number): FrameEntry =>
  ({
    frame: number,
    patch: [{ op: "replace", path: "/time_ms", value: number }],
  }) as unknown as FrameEntry;
const times = (frames: readonly Frame[]): unknown[] =>
  frames.map((frame) => [frame.frame, frame.state.time_ms]);

describe("the news of an action", () => {
  it("are patches against the last frame held", () => {
    expect(
      times(withNewFrames(held, { missed: [], frames: [patched(3), patched(4)] })).slice(3),
    ).toEqual([
      [3, 3],
      [4, 4],
    ]);
  });

  it("begin with what others have made", () => {
    expect(
      times(withNewFrames(held, { missed: [patched(3)], frames: [patched(4)] })).slice(3),
    ).toEqual([
      [3, 3],
      [4, 4],
    ]);
  });

  it("leave alone what is held already", () => {
    const all = withNewFrames(held, { missed: [], frames: [patched(2), patched(3)] });

    expect(all[2]).toBe(held[2]);
    expect(times(all).slice(3)).toEqual([[3, 3]]);
  });

  it("end before a gap", () => {
    expect(
      withNewFrames(held, { missed: [patched(3)], frames: [whole(600)] }).map(
        (frame) => frame.frame,
      ),
    ).toEqual([0, 1, 2, 3]);
  });
});
