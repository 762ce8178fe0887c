import { screen } from "@testing-library/svelte";
import type { ComponentProps } from "svelte";
import { describe, expect, it } from "vitest";

import { renderIn } from "../language/render-fixture";
import type { AskedQuestion } from "../service/api";
import Answers from "./Answers.svelte";

const question: AskedQuestion = {
  key: "7",
  text: { en: "What next?" },
  answers: [{ en: "Keep" }, { en: "Cut" }, { en: "Wait" }],
  correct: 1,
  reasons: [
    { en: "It cannot keep." },
    { en: "It must cut.", zh: "必须截断。" },
    { en: "It cannot wait." },
  ],
};

function show(about: Partial<ComponentProps<typeof Answers>> = {}, lang = "en"): void {
  renderIn(lang)(Answers, {
    props: { question, revealed: true, votes: [2, 5, 1], kafka: "0.11", ...about },
  });
}

const reasons = () =>
  ["It cannot keep.", "It must cut.", "It cannot wait."].filter(
    (text) => screen.queryByText(text) !== null,
  );

describe("the reasons of answers", () => {
  it("are shown for the right one and the wrong one with the most votes", () => {
    show();

    expect(reasons()).toEqual(["It cannot keep.", "It must cut."]);
  });

  it("are shown for the answer that was chosen here, too", () => {
    show({ chosen: 2 });

    expect(reasons()).toHaveLength(3);
  });

  it("are not given away before they are revealed", () => {
    show({ revealed: false, chosen: 1 });

    expect(reasons()).toEqual([]);
  });

  it("are in the reader's language", () => {
    show({}, "zh");

    expect(screen.getByText("必须截断。")).toBeVisible();
  });

  it("may be missing", () => {
    show({ question: { ...question, reasons: null } });

    expect(screen.getByText("Cut")).toBeVisible();
    expect(reasons()).toEqual([]);
  });
});

describe("answers without a vote", () => {
  it("have no counts: the right one is marked, with its reason", () => {
    show({ votes: [0, 0, 0] });

    expect(screen.getByText("right")).toBeInTheDocument();
    expect(reasons()).toEqual(["It must cut."]);
    expect(screen.queryByText(/ of 0|%/)).toBeNull();
  });
});
