import { cleanup, fireEvent } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "./session/fixtures";
import { renderIn } from "./language/render-fixture";
import { accented, PSEUDO } from "../pseudo-language.config";
import ArticlePage from "./articles/ArticlePage.svelte";
import ArticlesPage from "./articles/ArticlesPage.svelte";
import ChallengesPage from "./challenges/ChallengesPage.svelte";
import Compare from "./compare/Compare.svelte";
import { scenarioSide } from "./compare/other-side";
import FidelityPage from "./fidelity/FidelityPage.svelte";
import GalleryPage from "./gallery/GalleryPage.svelte";
import GlossaryPage from "./glossary/GlossaryPage.svelte";
import InsightsPage from "./insights/InsightsPage.svelte";
import Failure from "./site/Failure.svelte";
import LessonPlanPage from "./lesson-plan/LessonPlanPage.svelte";
import Home from "./home/Home.svelte";
import NewRun from "./new-run/NewRun.svelte";
import Help from "./run/Help.svelte";
import RunPage from "./run/RunPage.svelte";
import FindDialog from "./search/FindDialog.svelte";
import { api, ApiError, type Comparison } from "./service/api";
import type { Run } from "./session/run.svelte";
import ShareDialog from "./sharing/ShareDialog.svelte";
import { catalogue, CHOICES, english, LESSON, said, serve, title } from "./third-language-fixture";
import { MENU } from "./pages/registry";
import { ui as withoutMenu } from "./site/ui-fixture";
import type { Frame } from "./trace";
import { loss, repair } from "./trace/fixtures";
import Embed from "./view/embed/Embed.svelte";
import { branchOf } from "./view/embed/fixture";
import Notice from "./view/embed/Notice.svelte";
import FailedPanel from "./view/panel/FailedPanel.svelte";
import { Stage } from "./view/stage";

const render = renderIn(PSEUDO);
const ui = { ...withoutMenu, menu: MENU };

function openRun(frames: readonly Frame[]): Run {
  const run = runOf(frames, { session: "7h3k", title });
  render(RunPage, {
    props: {
      run,
      catalogue,
      onlanguage: () => undefined,
      ontheme: () => undefined,
      onnavigate: () => undefined,
      onfork: () => undefined,
      messagesOpen: true,
      onmessages: () => undefined,
    },
  });
  return run;
}

describe("in a language that only its folder knows", () => {
  beforeEach(() => {
    // As a page in that language has it.
    document.documentElement.lang = PSEUDO;
    serve({
      "/settings": { settings: [], producers: [] },
      "/choices": CHOICES,
      "/sources": { kafka: "0.10.2", sources: {} },
      "/versions": { versions: [], others: [] },
      "/scenarios": { scenarios: [LESSON] },
      "/searches/faults": { faults: [{ name: "disk_loss", allowed: 1, most: 10 }] },
    });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it.each([...loss, ...repair].map((frame, index) => [index, frame] as const))(
    "the stage of frame %i has no English",
    (_, frame) => {
      render(Stage, {
        props: {
          frame,
          previous: null,
          catalogue,
          depthOf: (number: number) => number,
          selection: null,
          onselect: () => undefined,
          onaction: () => undefined,
        },
      });

      expect(said().length).toBeGreaterThan(20);
      expect(english()).toEqual([]);
    },
  );

  it.each([["loss", loss] as const, ["repair", repair] as const])(
    "the page of the run %s has none at any step",
    async (_, frames) => {
      openRun(frames);
      for (let step = 0; step < frames.length; step += 1) {
        expect(english()).toEqual([]);
        await fireEvent.keyDown(window, { key: "ArrowRight" });
      }
      await vi.waitFor(() => expect(document.body.textContent).toContain(accented("Crash")));
      expect(english()).toEqual([]);
    },
  );

  it("neither has the comparison of two runs", async () => {
    const steps = loss.slice(1).map((frame) => ({
      item: frame.item,
      item_b: frame.item,
      frame_a: frame.frame,
      frame_b: frame.frame,
      differs: frame.frame > 10,
    }));
    const difference = {
      item: 10,
      item_b: 10,
      where: "/partitions/t-0/isr",
      a: [1],
      b: [],
      frame_a: 11,
      frame_b: 11,
      property: null,
      loss: {
        item: 12,
        item_b: 12,
        frame_a: 12,
        frame_b: 12,
        name: "NoAckedRecordLost",
        violated_in: "b",
        first_frame: 12,
      },
    };
    vi.spyOn(api, "compare").mockResolvedValue({
      scenario: "s",
      scenario_b: "s",
      kafka_a: "3.9",
      kafka_b: "4.0",
      control_a: "kraft",
      control_b: "kraft",
      start: ["brokers"],
      parting: null,
      ...difference,
      steps,
    } as unknown as Comparison);
    const run = runOf(loss, { at: 13, session: "7h3k", title });
    const other = scenarioSide({ id: "other", title, frames: loss, story: [] }, PSEUDO);

    render(Compare, {
      props: {
        run,
        other,
        name: title.en,
        partition: "t-0",
        catalogue,
        onclose: () => undefined,
        onfocuslost: () => undefined,
        onstanding: () => undefined,
        children: createRawSnippet(() => ({ render: () => "<p></p>" })),
      },
    });
    await vi.waitFor(() =>
      expect(document.body.textContent).toContain(accented("First difference")),
    );

    expect(english()).toEqual([]);
  });

  it("no dialog has any", async () => {
    render(Help, { props: { onclose: () => undefined } });
    for (const tab of ["link", "embed", "picture", "file"] as const) {
      render(ShareDialog, {
        props: {
          session: "s",
          at: 0,
          end: 0,
          branches: 2,
          steps: [{ step: 0, first: 0, last: 0, messages: 1, title: null }],
          level: "story",
          step: 0,
          title: title.en,
          tab,
          onclose: () => undefined,
        },
      });
    }
    const [frame] = loss.slice(13);
    if (frame !== undefined)
      render(FindDialog, {
        props: {
          session: "s",
          begin: () => Promise.resolve("s"),
          start: { kafka: "3.9", frame },
          catalogue,
          onwatch: () => undefined,
          onclose: () => undefined,
        },
      });
    const own = document.querySelector("input[type=radio][value=own]");
    if (own !== null) await fireEvent.click(own);

    await vi.waitFor(() => expect(said()).toContain(accented("disk losses")));
    expect(said().length).toBeGreaterThan(50);
    expect(english()).toEqual([]);
  });

  it("neither the embed nor what stands in its place has any", async () => {
    render(Embed, {
      props: {
        branch: branchOf(loss, [], catalogue, PSEUDO, title.en),
        startAt: 13,
        level: "story",
        link: "https://a.example/s/7h3k",
        autoplay: false,
        onstep: () => undefined,
        onplaying: () => undefined,
        onkey: () => undefined,
        onheight: () => undefined,
      },
    });
    await fireEvent.keyDown(window, { key: "Home" });
    render(Notice, { props: { kind: "removed" } });
    render(Notice, { props: { kind: "unavailable" } });
    render(FailedPanel, {
      props: {
        panel: "timeline",
        moment: 1,
        error: new Error("1"),
        onagain: () => undefined,
        onclose: () => undefined,
      },
    });

    expect(english().filter((text) => text !== "Error: 1")).toEqual([]);
  });

  it("neither have the pages of articles, challenges, fidelity, terms and listed shares", async () => {
    const article = {
      number: 0,
      title,
      about: title,
      origin: {
        printed: title.en,
        language: "zh",
        site: null,
        date: null,
        book: null,
        author: null,
        first_part: null,
      },
      claims: 3,
      assessments: { right: 1, nearly: 1, wrong: 1 },
      lessons: ["a"],
    };
    const claim = {
      number: 1,
      claim: title,
      kafka: title,
      holds: [true, false],
      holds_in: title,
      watch: [],
    };
    const claims = (["right", "nearly", "wrong"] as const).map((assessment, place) => ({
      ...claim,
      number: place + 1,
      assessment,
    }));
    const searched = { best: null, states: 7, complete: true };
    const challenge = {
      id: "a",
      title,
      goal: title,
      kafka: "3.9",
      brokers: 3,
      configs: {},
      property: "NoAckedRecordLost",
      value: "m1",
      budget: { crash: 2, produce: 1 },
      searched,
    };
    const listed = {
      sid: "7h3k",
      at: 1,
      title,
      note: null,
      kafka: "3.9",
      control: "kraft",
      scenario_id: null,
      created: "2026-11-22T00:00:00Z",
      acked: 2,
      lost: 1,
    };
    const question = { text: title, answers: [title, title], correct: 1, reasons: [title, title] };
    serve({
      "/articles/0": {
        article,
        versions: ["3.9", "4.1"],
        claims,
        questions: [{ question: title, answer: title, watch: [] }],
      },
      "/articles": { articles: [article] },
      "/challenges": {
        challenges: [challenge, { ...challenge, id: "b", searched: { ...searched, best: 2 } }],
      },
      "/fidelity": {
        sections: [],
        translations: {},
        recordings: [],
        releases: ["3.9"],
        cases: 2,
        cases_in_part: 1,
      },
      "/lesson-plan": {
        lessons: [
          {
            id: "a",
            title,
            summary: title,
            kafka: "3.9",
            minutes: 2,
            remember: title,
            steps: [{ step: 0, summary: title, notes: [title], questions: [question] }],
          },
        ],
      },
      "/gallery/own": {
        runs: [
          { lesson: "a", title, summary: title, kafka: "3.9", source: [], finding: "/docs/a" },
          { lesson: "b", title, summary: title, kafka: "3.9", source: ["KIP-1"], finding: null },
        ],
      },
      "/gallery": { shares: [listed, { ...listed, sid: "8h3k", at: 0, lost: 0 }], next: "x" },
    });

    render(ArticlesPage, { props: { ui } });
    render(ArticlePage, { props: { ui, number: 0 } });
    render(ChallengesPage, { props: { ui } });
    render(FidelityPage, { props: { ui } });
    render(GalleryPage, { props: { ui } });
    render(GlossaryPage, { props: { ui, catalogue } });
    render(LessonPlanPage, { props: { ui } });
    await vi.waitFor(() => expect(document.querySelectorAll("main h1").length).toBe(7));
    await vi.waitFor(() =>
      expect(said().filter((text) => text === title.en).length).toBeGreaterThan(8),
    );

    expect(english()).toEqual([]);
  });

  it("neither has the front page, a new run, the insights or a failure", async () => {
    render(Home, { props: { ui, search: "" } });
    render(NewRun, { props: { ui, catalogue, onstart: () => undefined } });
    render(InsightsPage, { props: { ui, onnavigate: () => undefined } });
    for (const status of [0, 404, 410, 429])
      render(Failure, {
        props: { ui, error: new ApiError(status, "x", "1"), onagain: () => undefined },
      });
    await vi.waitFor(() => expect(document.body.textContent).toContain(title.en));

    expect(english()).toEqual([]);
  });
});
