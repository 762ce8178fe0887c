import { fireEvent, screen, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import { api, type LessonPlan } from "../service/api";
import { ui } from "../site/ui-fixture";
import LessonPlanPage from "./LessonPlanPage.svelte";

const both = (en: string) => ({ en, zh: `${en}（中文）` });
const PLAN: LessonPlan = {
  lessons: [
    {
      id: "a-loss",
      title: both("A loss"),
      summary: both("It is truncated."),
      kafka: "0.10.2",
      minutes: 3,
      remember: both("It lags."),
      steps: [
        { step: 0, summary: both("It starts."), notes: [], questions: [] },
        {
          step: 1,
          summary: both("The response is lost."),
          notes: [both("Watch this.")],
          questions: [
            {
              text: both("What will it do?"),
              answers: [both("Keep it."), both("Ask."), both("Truncate it.")],
              correct: 2,
              reasons: [both("Not safe."), both("Not yet."), both("It is above.")],
            },
          ],
        },
      ],
    },
  ],
};

const answers = (): (string | null)[] =>
  within(screen.getByText("What will it do?").closest(".question") as HTMLElement)
    .getAllByRole("listitem")
    .map((item) => item.textContent);

describe("the lesson plan", () => {
  beforeEach(async () => {
    vi.spyOn(api, "readLessonPlan").mockResolvedValue(PLAN);
    renderIn("en")(LessonPlanPage, { props: { ui } });
    await screen.findByRole("link", { name: "A loss" });
  });

  it("says that nobody else can open the links of the reader's own computer", () => {
    expect(screen.getByRole("note")).toHaveTextContent("nobody else can open");
  });

  it("has the steps, the notes, and each answer with its reason for the teacher", () => {
    expect(screen.getByRole("link", { name: "Step 1" })).toHaveAttribute(
      "href",
      "/lessons/a-loss?step=1",
    );
    expect(screen.getByText("Watch this.")).toBeVisible();
    const right = answers().filter((text) => text?.includes("Right:"));
    expect(right).toHaveLength(1);
    expect(right[0]).toContain("Truncate it.");
    expect(right[0]).toContain("It is above.");
    expect(answers().filter((text) => text?.includes("Wrong:"))).toHaveLength(2);
    expect(screen.getByText(/1 question$/)).toBeVisible();
  });

  it("tells pupils nothing but the questions, with the answers in the same order", async () => {
    const shown = (texts: (string | null)[]) =>
      texts.map((text) => ["Keep it.", "Ask.", "Truncate it."].find((one) => text?.includes(one)));
    const before = shown(answers());

    await fireEvent.click(screen.getByRole("radio", { name: "Pupils’ sheet" }));

    expect(shown(answers())).toEqual(before);
    const told = document.querySelector("main")?.textContent ?? "";
    for (const secret of ["Right:", "Wrong:", "It is above.", "Watch this.", "It lags.", "✓"])
      expect(told).not.toContain(secret);
    expect(told).not.toContain("It is truncated.");
    expect(screen.getByRole("img", { name: /\/lessons\/a-loss/ })).toBeVisible();
  });
});
