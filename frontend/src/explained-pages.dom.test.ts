import { fireEvent, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { render } from "./language/render-fixture";
import ChallengeBoard from "./challenges/ChallengeBoard.svelte";
import ChallengesPage from "./challenges/ChallengesPage.svelte";
import NewRun from "./new-run/NewRun.svelte";
import type { Challenge, Try } from "./service/api";
import { ui } from "./site/ui-fixture";
import { serve } from "./third-language-fixture";
import { glossaryOf, type Catalogue } from "./trace";
import { catalogue as fixture, repair } from "./trace/fixtures";
import { GLOSSARY } from "./view/terms/context";

const written = fixture.languages.en;
if (written === undefined) throw new Error("the fixture has no English");
const catalogue: Catalogue = {
  sources: {},
  languages: {
    en: {
      ...written,
      terms: {
        ISR: "In-sync replicas.",
        leader: "It decides.",
        KRaft: "The metadata log.",
        "min-insync-replicas": "How many.",
      },
      term_words: {
        ISR: "ISR",
        leader: "leader",
        KRaft: "KRaft",
        "min-insync-replicas": "min.insync.replicas",
      },
    },
  },
};
const context = new Map([[GLOSSARY, () => glossaryOf(catalogue, "en")]]);
const text = (en: string) => ({ en });
const searched = { best: 2, complete: true, states: 3 };
const challenge = {
  id: "a",
  title: text("Alone"),
  goal: text("Lose a record with the leader alive."),
  kafka: "3.9",
  brokers: 3,
  configs: { "min.insync.replicas": 1 },
  property: "NoAckedRecordLost",
  budget: { crash: 2 },
  searched,
  not_allowed: [],
  hints: [text("Shrink the ISR.")],
  also: [],
};

/** The explained words, without those of a drawing. */
function termsIn(part: Element): (string | null)[] {
  return [...part.querySelectorAll(".term")]
    .filter((term) => term.closest(".marks") === null)
    .map(({ textContent }) => textContent);
}

describe("the terms in the texts of pages", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("are explained in the list of challenges", async () => {
    serve({ "/challenges": { challenges: [challenge] } });
    render(ChallengesPage, { props: { ui }, context });
    await vi.waitFor(() => expect(screen.getByRole("heading", { name: "Alone" })).toBeVisible());

    expect(termsIn(document.body)).toEqual(["leader"]);
  });

  it("are explained in a challenge: its goal, its settings and its hint", async () => {
    const first = {
      moves: [],
      left: { crash: 2 },
      possible: [],
      frames: repair.slice(0, 2),
      starts: [],
      told: text("Nothing yet."),
      result: "open",
      records: [],
      scenario: {},
    };
    render(ChallengeBoard, {
      props: {
        challenge: challenge as unknown as Challenge,
        first: first as unknown as Try,
        firstUndone: [],
        catalogue,
        onrun: () => undefined,
        onproblem: () => undefined,
      },
      context,
    });
    expect(termsIn(document.body)).toEqual(["leader", "min.insync.replicas"]);

    await fireEvent.click(screen.getByRole("button", { name: "Give me a hint" }));

    expect(termsIn(document.body)).toContain("ISR");
  });

  it("are explained in what one builds: what follows from it, and its controller", async () => {
    const draft = {
      kafka: "3.9",
      control: "kraft",
      scenario: {},
      steps: 0,
      frame: repair[0],
      choices: [],
      impossible: [],
      starts: [],
      consequences: [text("The leader waits for the ISR."), text("The leader is alone.")],
    };
    serve({ "/drafts": draft });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined }, context });
    await vi.waitFor(() => expect(screen.getByText("What follows from this")).toBeVisible());

    expect([...document.querySelectorAll(".head")].flatMap(termsIn)).toContain("KRaft");
    expect([...document.querySelectorAll(".panels .card li")].map(termsIn)).toEqual([
      ["leader", "ISR"],
      [],
    ]);
  });
});
