import { expect, it } from "vitest";

import { momentOf, questionIn } from "./presented-moment";

const EN = {
  key: "7",
  text: "What next?",
  answers: ["Keep", "Cut"],
  reasons: ["Not yet.", "Now."],
  correct: 1,
};
const ZH = {
  key: "7",
  text: "接下来？",
  answers: ["保留", "截断"],
  reasons: ["还没有。", "现在。"],
  correct: 1,
};

it("asks in every language in which the author asks", () => {
  const question = questionIn(["en", "zh"], (lang) => (lang === "en" ? EN : ZH));

  expect(question).toEqual({
    key: "7",
    text: { en: "What next?", zh: "接下来？" },
    answers: [
      { en: "Keep", zh: "保留" },
      { en: "Cut", zh: "截断" },
    ],
    correct: 1,
    reasons: [
      { en: "Not yet.", zh: "还没有。" },
      { en: "Now.", zh: "现在。" },
    ],
  });
});

it("gives no reasons where the author gives none", () => {
  const question = questionIn(["en", "zh"], (lang) => ({
    ...(lang === "en" ? EN : ZH),
    reasons: [],
  }));

  expect(question?.reasons).toBeNull();
});

it("sends the question with its reasons", () => {
  const question = questionIn(["en", "zh"], (lang) => (lang === "en" ? EN : ZH));

  expect(
    momentOf({ first: 3, frame: 5, whole: true, message: null, messages: null }, question, {
      revealed: false,
      black: false,
    }).question,
  ).toEqual(question);
});

it("asks nothing where nothing is asked, and reveals nothing then", () => {
  const question = questionIn(["en", "zh"], () => null);

  expect(question).toBeNull();
  expect(
    momentOf({ first: 3, frame: 5, whole: true, message: null, messages: null }, question, {
      revealed: true,
      black: false,
    }),
  ).toEqual({
    first: 3,
    frame: 5,
    whole: true,
    message: null,
    messages: null,
    question: null,
    revealed: false,
    black: false,
  });
});
