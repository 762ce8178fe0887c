import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";
import type { Stop } from "../trace/story";
import {
  animatedSteps,
  fittingPart,
  picturesOf,
  rangeOf,
  type AnimatedStep,
} from "./animated-steps";

/** Steps of two messages each, the first with frame 10. */
const STEPS: AnimatedStep[] = Array.from({ length: 6 }, (_, step) => ({
  step,
  first: 10 + 2 * step,
  last: 11 + 2 * step,
  messages: 2,
  title: null,
}));

describe("the steps of an animation", () => {
  const title = { en: "A", zh: "甲" };
  const shown = [0, 1, 7, 8].map((frame) => ({ frame }) as Frame);
  const stops: Stop[] = [
    [0, 0],
    [1, 2],
    [3, 3],
  ].map(([from = 0, to = 0], step) => ({
    step,
    from,
    to,
    telling: to,
    title,
    summary: null,
    marks: [],
  }));

  it("have the numbers of their frames, which are not positions on the branch", () => {
    expect(animatedSteps(shown, stops, shown.length - 1)).toEqual([
      { step: 0, first: 0, last: 0, messages: 1, title },
      { step: 1, first: 1, last: 7, messages: 2, title },
      { step: 2, first: 8, last: 8, messages: 1, title },
    ]);
  });

  it("keep their titles back after an open question", () => {
    expect(animatedSteps(shown, stops, 2).map((step) => step.title)).toEqual([title, title, null]);
  });
});

describe("the part of a run that is animated", () => {
  it.each([
    { at: 19, most: 3, part: { from: 2, to: 4 } },
    { at: 18, most: 3, part: { from: 2, to: 4 } },
    { at: 21, most: 40, part: { from: 0, to: 5 } },
    { at: 13, most: 3, part: { from: 0, to: 1 } },
    { at: 10, most: 3, part: { from: 0, to: 2 } },
    { at: 10, most: 40, part: { from: 0, to: 5 } },
  ])(
    "ends at the frame $at on the screen with at most $most pictures, and at the start begins there",
    ({ at, most, part }) => {
      expect(fittingPart(STEPS, at, most)).toEqual(part);
    },
  );

  it("has a picture for each step, and for each message of a single step", () => {
    expect(picturesOf(STEPS, { from: 1, to: 3 })).toBe(3);
    expect(picturesOf(STEPS, { from: 1, to: 1 })).toBe(2);
  });

  it("is a range from the first frame of its first step to the last of its last", () => {
    expect(rangeOf(STEPS, { from: 1, to: 3 })).toBe("12-17");
  });
});
