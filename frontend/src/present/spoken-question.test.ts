import { describe, expect, it } from "vitest";

import type { AskedQuestion } from "../service/api";
import { NUMBERS, spokenAnswers, spokenQuestion } from "./spoken-question";

const question: AskedQuestion = {
  key: "7",
  text: { en: "What next?", zh: "接下来呢？" },
  answers: [{ en: "It keeps m2." }, { en: "It truncates." }],
  correct: 1,
  reasons: null,
};

describe("a question for screen readers", () => {
  it("has the keys of its answers on the page of a run", () => {
    expect(spokenQuestion({ text: "What next?", answers: ["Keep.", "Cut."] }, NUMBERS, "en")).toBe(
      "Question: What next? Answers: 1. Keep. 2. Cut.",
    );
  });

  it("has the letters of its answers in a presentation, and does not give the right one away", () => {
    expect(spokenAnswers(question, { revealed: false, votes: [1, 1], chosen: 1 }, "en")).toBe(
      "Question: What next? Answers: A. It keeps m2. B. It truncates.",
    );
  });

  it("has the right answer, the counts and the reader's own answer once they are revealed", () => {
    expect(spokenAnswers(question, { revealed: true, votes: [2, 1], chosen: 0 }, "en")).toBe(
      "Right answer: B. It truncates. A: 2 of 3 votes. B: 1 of 3 votes. Your answer: A. It keeps m2.",
    );
  });

  it("has no counts if nobody has answered", () => {
    expect(spokenAnswers(question, { revealed: true, votes: [0, 0] }, "en")).toBe(
      "Right answer: B. It truncates.",
    );
  });
});
