import { expect, it } from "vitest";

import type { Comparison } from "../service/api";
import type { OtherVersion } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
import { positionInOtherRun } from "./position-in-other-run";

function runComparedAs(compared: Promise<Comparison | null>): Run {
  return { path: [0, 1, 2, 3], index: 3, compare: () => compared } as unknown as Run;
}
const other = {
  session: "9q",
  kafka: "0.11",
  frames: [0, 1, 2, 3, 4, 5].map((frame) => ({ frame })),
} as unknown as OtherVersion;

it("is the end of the same step, however many messages that takes there", async () => {
  const steps = [{ item: 0, item_b: 0, frame_a: 3, frame_b: 5, differs: true }];
  const run = runComparedAs(Promise.resolve({ steps } as unknown as Comparison));

  expect(await positionInOtherRun(run, other)).toBe(5);
});

it("is as many messages along where the two cannot be compared", async () => {
  for (const compared of [Promise.reject(new Error("away")), Promise.resolve(null)])
    expect(await positionInOtherRun(runComparedAs(compared), other)).toBe(3);
});
