import { beforeEach, describe, expect, it, vi } from "vitest";

import { answerOrder, readerSeed } from "./question-order";

beforeEach(() => {
  vi.unstubAllGlobals();
});

describe("the order of a question's answers", () => {
  it("is the same on every visit of a reader, and differs between questions", () => {
    const orders = ["a 3", "a 4", "a 5", "a 6", "a 7"].map((question) =>
      answerOrder("reader", question, 4).join(""),
    );

    expect(answerOrder("reader", "a 3", 4).join("")).toBe(orders[0]);
    expect(new Set(orders).size).toBeGreaterThan(2);
  });

  it.each([3, 4])("puts each of %i answers in each place equally often", (answers) => {
    const readers = 6000;
    const counts = Array.from({ length: answers }, () => Array.from({ length: answers }, () => 0));

    for (let reader = 0; reader < readers; reader++)
      answerOrder(`reader ${String(reader)}`, "two-rounds 7", answers).forEach((answer, place) => {
        const row = counts[answer];
        if (row !== undefined) row[place] = (row[place] ?? 0) + 1;
      });

    for (const count of counts.flat()) {
      expect(count).toBeGreaterThan((readers / answers) * 0.9);
      expect(count).toBeLessThan((readers / answers) * 1.1);
    }
  });

  it("belongs to this browser, also if it can store nothing", () => {
    vi.stubGlobal("localStorage", {
      getItem: () => null,
      setItem: () => {
        throw new Error("full");
      },
    });

    expect(readerSeed()).toBe(readerSeed());
  });
});
