/** What a reader may see before a question is answered. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { keepDone } from "../learning/progress";
import { runOf, scenario } from "../session/fixtures";
import { loss, storyStep } from "../trace/fixtures";
import { viewOf } from "./run-page-fixture";
import type { Narration } from "./narration.svelte";

const ASKED = 3;
const ASKED_AGAIN = 6;
const LAST = 9;
const ask = { en: "Why?", answers: ["a", "b", "c"], correct: 1 };

/** A run of ten steps of one frame each, with questions after the third and the sixth. */
function asked(at = 0): { narration: Narration; go: (index: number) => void } {
  const frames = loss.slice(0, LAST + 1).map((frame, number) => ({
    ...frame,
    frame: number,
    parent: number === 0 ? null : number - 1,
    item:
      number === 0
        ? null
        : number <= ASKED
          ? number - 1
          : number <= ASKED_AGAIN
            ? number
            : number + 1,
    step: number,
  }));
  const act = { fetch: { broker: 1 } };
  const steps = [...Array.from({ length: LAST }, () => act)] as (
    typeof act | { ask: typeof ask }
  )[];
  steps.splice(ASKED, 0, { ask });
  steps.splice(ASKED_AGAIN + 1, 0, { ask });
  const story = frames.map(({ frame }) => storyStep(frame, frame, frame));
  const run = runOf(frames, { at, steps, story });
  const { narration } = viewOf(run);
  return { narration, go: (index) => run.goToIndex(index) };
}

beforeEach(() => vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here"))));
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("what is shown of a run with questions", () => {
  it("ends at the next open question from the start", () => {
    const { narration, go } = asked();
    expect(narration.horizon).toBe(ASKED);

    go(ASKED);
    narration.answer(0);

    expect(narration.horizon).toBe(ASKED_AGAIN);
  });

  it("is everything once no question is ahead", () => {
    expect(asked(ASKED_AGAIN + 1).narration.horizon).toBe(LAST);
  });

  it("hides the rest only at an open question for a reader who has reached the end before", () => {
    keepDone(scenario.id);
    const { narration, go } = asked();
    expect(narration.horizon).toBe(LAST);

    go(ASKED);

    expect(narration.horizon).toBe(ASKED);
  });
});
