import { expect, it } from "vitest";

import { stepAt } from "./following.svelte";

it("finds the step of a frame that was shown before", () => {
  const scene = { step_frames: [0, 1, 4, 9] };

  expect([0, 1, 3, 4, 8, 9, 12].map((frame) => stepAt(scene, frame))).toEqual([
    0, 1, 1, 2, 2, 3, 3,
  ]);
});
