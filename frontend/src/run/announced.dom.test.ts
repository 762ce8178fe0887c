import { fireEvent, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { runOf } from "../session/fixtures";
import { render } from "../language/render-fixture";
import type { Frame, Lang } from "../trace";
import { loss } from "../trace/fixtures";
import QuestionPanel from "./QuestionPanel.svelte";
import { renderRunPage } from "./run-page-fixture";

beforeEach(() => vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here"))));
afterEach(() => vi.unstubAllGlobals());

function violating(frame: Frame, properties: readonly string[]): Frame {
  const like = loss
    .flatMap(({ events }) => events)
    .find(({ kind }) => kind === "PropertyViolated") as Frame["events"][number];
  const violated = properties.map((property) => ({
    ...like,
    numbers: { ...like.numbers, property },
  }));
  return {
    ...frame,
    events: [...frame.events.filter(({ kind }) => kind !== "PropertyViolated"), ...violated],
  };
}

it.each([
  ["en", "Violated: An acknowledged record is lost. LeaderCompleteness violated."],
  ["zh", /违反：[^。：]+。[^。：]+。/],
] as const)("announces violated properties as sentences, in %s", async (lang: Lang, said) => {
  const frames = loss.map((frame, at) =>
    at === 1
      ? violating(frame, ["NoAckedRecordLost", "LeaderCompleteness", "NoAckedRecordLost"])
      : frame,
  );
  const run = runOf(frames);
  renderRunPage(run, lang);

  await fireEvent.keyDown(window, { key: "ArrowRight" });

  await vi.waitFor(() => expect(screen.getByRole("status").textContent).toMatch(said));
});

it("announces the warning of a question without the button that skips it", () => {
  const question = {
    kind: "ask",
    key: "q",
    text: "Why?",
    answers: ["A", "B"],
    correct: 0,
    reasons: ["", ""],
  } as const;
  render(QuestionPanel, {
    props: {
      question,
      answered: null,
      warned: true,
      atEnd: false,
      onanswer: () => undefined,
      onward: () => undefined,
    },
  });

  const announced = screen.getByText("Press → again to skip the question.");
  expect(announced).toHaveAttribute("aria-live", "polite");
  expect(
    screen.getByRole("button", { name: "Skip the question" }).closest("[aria-live]"),
  ).toBeNull();
});
