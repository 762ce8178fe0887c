import { describe, expect, it } from "vitest";

import type { Frame, Lang } from "../trace";

import { authorWords, type AuthorWord } from "./author-words";

describe("the author's words", () => {
  const scenario = {
    id: "s",
    kafka: "3.9",
    title: { en: "", zh: "" },
    steps: [
      { note: { en: "before", zh: "之前" } },
      { crash: { broker: 1 } },
      { note: { en: "after", zh: "之后" } },
      { expect: {} },
      {
        ask: {
          en: "why",
          zh: "为何",
          answers: ["a", { en: "b", zh: "乙" }, "c"],
          reasons: ["not a", "b it is", "not c"],
          correct: 1,
        },
      },
    ],
  };
  const all = [0, 2, 4];
  const frames = [
    { frame: 0, item: null },
    { frame: 1, item: 1 },
    { frame: 2, item: 1 },
  ] as unknown as Frame[];

  function at(
    frame: number,
    path: readonly number[],
    lang: Lang,
    applying: readonly number[],
  ): readonly AuthorWord[] {
    return authorWords(scenario, frames, path, lang, applying, "a reader").get(frame) ?? [];
  }

  it("stand at the last frame of the step before them", () => {
    expect(at(0, [0, 1, 2], "en", all).map((words) => words.text)).toEqual(["before"]);
    expect(at(1, [0, 1, 2], "en", all)).toEqual([]);
    expect(at(2, [0, 1, 2], "zh", all).map((words) => words.text)).toEqual(["之后", "为何"]);
    expect(at(2, [0, 1, 2], "zh", all)[1]?.answers.toSorted()).toEqual(["a", "c", "乙"]);
  });

  it("keep each answer with its reason, in the order of the reader", () => {
    const readers = Array.from({ length: 40 }, (_, reader) => `reader ${String(reader)}`);
    const asked = readers.map(
      (seed) => authorWords(scenario, frames, [0, 1, 2], "en", all, seed).get(2)?.[1],
    );

    for (const word of asked) {
      expect(word?.answers[word.correct]).toBe("b");
      expect(word?.reasons).toEqual(
        word?.answers.map((answer) => (answer === "b" ? "b it is" : `not ${answer}`)),
      );
    }
    expect(new Set(asked.map((word) => word?.correct)).size).toBe(3);
  });

  it("are not shown on a branch without the step", () => {
    expect(at(0, [0], "en", all).map((words) => words.text)).toEqual(["before"]);
  });

  it("are not shown on a branch that forks before the last frame of the step", () => {
    expect(at(1, [0, 1], "en", all)).toEqual([]);
  });

  it("are omitted unless the service states that they apply", () => {
    expect(at(0, [0, 1, 2], "en", [2])).toEqual([]);
    expect(at(2, [0, 1, 2], "en", [2]).map((words) => words.text)).toEqual(["after"]);
  });
});
