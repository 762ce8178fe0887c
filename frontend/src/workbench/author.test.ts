import { describe, expect, it } from "vitest";

import type { Frame, State, Step } from "../trace";
import { authorWords } from "./author";

function frame(number: number, item: number | null): Frame {
  return { frame: number, parent: number === 0 ? null : number - 1, depth: number, item, action: null, events: [], changes: [], state: {} as State, properties: {} };
}

const both = (text: string) => ({ en: text, zh: text });
const steps: Step[] = [
  { note: both("before") },
  { produce: { to: "t-0" } },
  { expect: { leader: 1 } },
  { ask: { ...both("why?"), answers: [both("yes"), both("no")], correct: 1 } },
  { fetch: { broker: 2 } },
  { note: both("after") },
];

describe("an author's words", () => {
  it("stand at the last frame of the step before them", () => {
    const words = authorWords(steps, [frame(0, null), frame(1, 1), frame(2, 1), frame(3, 4)]);

    expect([...words.keys()]).toEqual([0, 2, 3]);
    expect(words.get(2)).toMatchObject([{ kind: "question", item: 3, correct: 1, answers: [both("yes"), both("no")] }]);
  });

  it("are not said where their step was not done", () => {
    const words = authorWords(steps, [frame(0, null), frame(1, 1), frame(4, null)]);

    expect([...words.keys()]).toEqual([0, 1]);
  });
});
