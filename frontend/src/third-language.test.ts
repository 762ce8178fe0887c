import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { accented, accentedPattern, PSEUDO } from "../pseudo-language.config";
import { readMessages, type PatternData } from "../languages.config";
import ArticlePage from "./articles/ArticlePage.svelte";
import ArticlesPage from "./articles/ArticlesPage.svelte";
import ChallengesPage from "./challenges/ChallengesPage.svelte";
import Compare from "./compare/Compare.svelte";
import { scenarioSide } from "./compare/side";
import FidelityPage from "./fidelity/FidelityPage.svelte";
import GalleryPage from "./gallery/GalleryPage.svelte";
import GlossaryPage from "./glossary/GlossaryPage.svelte";
import InsightsPage from "./insights/InsightsPage.svelte";
import Failure from "./site/Failure.svelte";
import Home from "./home/Home.svelte";
import NewRun from "./new-run/NewRun.svelte";
import type { UiSettings } from "./site/ui-settings";
import Help from "./run/Help.svelte";
import RunPage from "./run/RunPage.svelte";
import FindDialog from "./search/FindDialog.svelte";
import { api, ApiError, type Comparison } from "./service/api";
import { Run } from "./session/run.svelte";
import ShareDialog from "./sharing/ShareDialog.svelte";
import type { Catalogue, CatalogueTexts, Frame } from "./trace";
import { loss, repair } from "./trace/fixtures";
import Embed from "./view/embed/Embed.svelte";
import { branchOf } from "./view/embed/fixture";
import Notice from "./view/embed/Notice.svelte";
import FailedPanel from "./view/panel/FailedPanel.svelte";
import { Stage } from "./view/stage";

/** The narration's file of English, accented. */
function accentedPart(part: string): Record<string, { text: PatternData; attributes: Record<string, PatternData> }> {
  const accentedOf = (pattern: PatternData | null) => accentedPattern(pattern ?? "");
  return Object.fromEntries(
    Object.entries(readMessages("en", `narration/${part}`)).map(([name, { text, attributes }]) => [
      name,
      { text: accentedOf(text), attributes: Object.fromEntries(Object.entries(attributes).map(([key, pattern]) => [key, accentedOf(pattern)])) },
    ]),
  );
}

function plainPart(part: string): Record<string, PatternData> {
  return Object.fromEntries(Object.entries(accentedPart(part)).map(([name, { text }]) => [name, text]));
}

/** The catalogue as the service sends it, in the language that the tests add. */
const texts: CatalogueTexts = {
  events: Object.fromEntries(Object.entries(accentedPart("events")).map(([name, { text, attributes }]) => [name, { text, formula: attributes.formula ?? null }])),
  properties: Object.fromEntries(
    Object.entries(accentedPart("properties")).map(([name, { text, attributes }]) => [name, { title: text, violated_title: attributes.violated_title ?? "", sentence: attributes.sentence ?? "" }]),
  ),
  rules: plainPart("rules"),
  reasons: plainPart("reasons"),
  terms: plainPart("terms"),
  term_words: {},
  steps: plainPart("steps"),
  changes: plainPart("changes"),
  values: { ...plainPart("values"), message: plainPart("values").kind ?? "" },
};
const catalogue: Catalogue = { sources: {}, languages: { [PSEUDO]: texts } };

/** What is the same in every language: Kafka's names, names of files and formats, and what an author wrote. */
const NAMES =
  /\b(Kafka|Highwater|AR|OSR|ISR|ELR|HW|LEO|LSO|OffsetsForLeaderEpoch|LeaderAndIsr|ListOffsets|StopReplica|UpdateMetadata|PartitionChangeRecord|AlterPartition|BrokerHeartbeat|Fetch|ReplicaFetcherThread|isr_change_notification|replication-offset-checkpoint|recovery-point-offset-checkpoint|leader-epoch-checkpoint|KIP-\d+|KAFKA-\d+|[A-Z]+(_[A-Z]+)+|acks=\w+|min\(|[tmpr]-?\d+|ZooKeeper|KRaft|acks|all|min\.insync\.replicas|unclean\.leader\.election\.enable)(?![a-z])/g;
const ATTRIBUTES = ["aria-label", "aria-valuetext", "aria-description", "aria-roledescription", "title", "placeholder", "alt", "label"];

/** Everything that can be read or heard on the page, but what is marked as another language's. */
function said(): string[] {
  const found: string[] = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("script, style, code, textarea, kbd, [lang]:not(html)") !== null) continue;
    for (const name of ATTRIBUTES) found.push(element.getAttribute(name) ?? "");
    for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) found.push(child.textContent ?? "");
  }
  return found.map((text) => text.trim()).filter((text) => text !== "");
}

/** What is English, where nothing should be; `all` is a value of acks. */
function english(): string[] {
  return [...new Set(said().filter((text) => text !== "all" && /[A-Za-z]{2,}/.test(text.replaceAll(/=all$/g, "").replaceAll(NAMES, ""))))];
}

const dress: UiSettings = { lang: PSEUDO, theme: "auto", onlang: () => undefined, ontheme: () => undefined };
const title = { en: accented("A record vanishes") };
const scenario = { id: "s", kafka: "0.10.2", title, steps: [] };

function openRun(frames: readonly Frame[]): Run {
  const run = new Run(api, "7h3k", "0.10.2", scenario, { title, summary: true, steps: [] }, [...frames], 0);
  render(RunPage, { props: { run, catalogue, lang: PSEUDO, onlanguage: () => undefined, ontheme: () => undefined, onnavigate: () => undefined, onfork: () => undefined, messagesOpen: true, onmessages: () => undefined } });
  return run;
}

function serve(answers: Readonly<Record<string, unknown>>): void {
  vi.stubGlobal("fetch", (address: string) => {
    const found = Object.entries(answers).find(([path]) => address.includes(path));
    return found === undefined ? Promise.reject(new Error("no service here")) : Promise.resolve(new Response(JSON.stringify(found[1])));
  });
}

const LESSON = { id: "a", alias: "s1", chapter: "basics", title, summary: title, source: ["KIP-101"], kafka: "3.9", control: "kraft", brokers: 2, steps: 3, violated: ["NoAckedRecordLost"], thumbnail: null };
const CHOICES = [
  { step: { crash: { broker: 1 } }, actor: "1", enabled: true, reason: null, reason_code: null, reason_numbers: {} },
  { step: { produce: { to: "t-0", values: ["m9"], as: "p1" } }, actor: "p1", enabled: true, reason: null, reason_code: null, reason_numbers: {} },
  { step: { settle: {} }, actor: "time", enabled: true, reason: null, reason_code: null, reason_numbers: {} },
];

describe("in a language that only its folder knows", () => {
  beforeEach(() => {
    serve({ "/settings": { settings: [], producers: [] }, "/choices": CHOICES, "/sources": { kafka: "0.10.2", sources: {} }, "/versions": { versions: [], others: [] }, "/scenarios": { scenarios: [LESSON] }, "/searches/faults": { faults: [{ name: "disk_loss", allowed: 1, most: 10 }] } });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it.each([...loss, ...repair].map((frame, index) => [index, frame] as const))("the stage of frame %i has no English", (_, frame) => {
    render(Stage, { props: { frame, previous: null, catalogue, lang: PSEUDO, depthOf: (number: number) => number, selection: null, onselect: () => undefined, onaction: () => undefined } });

    expect(said().length).toBeGreaterThan(20);
    expect(english()).toEqual([]);
  });

  it.each([["loss", loss] as const, ["repair", repair] as const])("the page of the run %s has none at any step", async (_, frames) => {
    openRun(frames);
    for (let step = 0; step < frames.length; step += 1) {
      expect(english()).toEqual([]);
      await fireEvent.keyDown(window, { key: "ArrowRight" });
    }
    await vi.waitFor(() => expect(document.body.textContent).toContain(accented("Crash")));
    expect(english()).toEqual([]);
  });

  it("neither has the comparison of two runs", async () => {
    const steps = loss.slice(1).map((frame) => ({ item: frame.item, item_b: frame.item, frame_a: frame.frame, frame_b: frame.frame, differs: frame.frame > 10 }));
    const difference = { item: 10, item_b: 10, where: "/partitions/t-0/isr", a: [1], b: [], frame_a: 11, frame_b: 11, property: null };
    vi.spyOn(api, "compare").mockResolvedValue({ scenario: "s", scenario_b: "s", kafka_a: "3.9", kafka_b: "4.0", control_a: "kraft", control_b: "kraft", start: ["brokers"], parting: null, ...difference, steps } as unknown as Comparison);
    const run = new Run(api, "7h3k", "0.10.2", scenario, { title, summary: true, steps: [] }, [...loss], 13);
    const other = scenarioSide({ id: "other", title, frames: loss }, PSEUDO);

    render(Compare, { props: { run, other, name: title.en, partition: "t-0", catalogue, lang: PSEUDO, onclose: () => undefined, children: createRawSnippet(() => ({ render: () => "<p></p>" })) } });
    await vi.waitFor(() => expect(document.body.textContent).toContain(accented("First difference")));

    expect(english()).toEqual([]);
  });

  it("no dialog has any", async () => {
    render(Help, { props: { lang: PSEUDO, onclose: () => undefined } });
    for (const tab of ["link", "embed", "picture", "file"] as const) {
      render(ShareDialog, { props: { session: "s", at: 0, end: 0, branches: 2, level: "story", step: 0, title: title.en, lang: PSEUDO, tab, onclose: () => undefined } });
    }
    const [frame] = loss.slice(13);
    if (frame !== undefined) render(FindDialog, { props: { session: "s", frame, catalogue, lang: PSEUDO, onwatch: () => undefined, onclose: () => undefined } });
    const own = document.querySelector("input[type=radio][value=own]");
    if (own !== null) await fireEvent.click(own);

    await vi.waitFor(() => expect(said()).toContain(accented("disk losses")));
    expect(said().length).toBeGreaterThan(50);
    expect(english()).toEqual([]);
  });

  it("neither the embed nor what stands in its place has any", async () => {
    render(Embed, { props: { branch: branchOf(loss, [], catalogue, PSEUDO, title.en), lang: PSEUDO, startAt: 13, link: "https://a.example/s/7h3k", autoplay: false, onstep: () => undefined, onplaying: () => undefined, onkey: () => undefined, onheight: () => undefined } });
    await fireEvent.keyDown(window, { key: "Home" });
    render(Notice, { props: { kind: "removed", lang: PSEUDO } });
    render(Notice, { props: { kind: "unavailable", lang: PSEUDO } });
    render(FailedPanel, { props: { panel: "timeline", lang: PSEUDO, moment: 1, error: new Error("1"), onagain: () => undefined, onclose: () => undefined } });

    expect(english().filter((text) => text !== "Error: 1")).toEqual([]);
  });

  it("neither have the pages of articles, challenges, fidelity, terms and listed shares", async () => {
    const article = { number: 0, title, about: title, claims: 3, verdicts: { right: 1, nearly: 1, wrong: 1 }, lessons: ["a"] };
    const claim = { number: 1, claim: title, kafka: title, holds: [true, false], watch: [] };
    const claims = (["right", "nearly", "wrong"] as const).map((verdict, place) => ({ ...claim, number: place + 1, verdict }));
    const searched = { best: null, states: 7, complete: true };
    const challenge = { id: "a", title, goal: title, kafka: "3.9", brokers: 3, configs: {}, property: "NoAckedRecordLost", value: "m1", budget: { crash: 2, produce: 1 }, searched };
    const listed = { sid: "7h3k", at: 1, title, note: null, kafka: "3.9", control: "kraft", scenario_id: null, created: "2026-11-22T00:00:00Z", acked: 2, lost: 1 };
    serve({
      "/articles/0": { article, versions: ["3.9", "4.1"], claims, questions: [{ question: title, answer: title, watch: [] }] },
      "/articles": { articles: [article] },
      "/challenges": { challenges: [challenge, { ...challenge, id: "b", searched: { ...searched, best: 2 } }] },
      "/fidelity": { sections: [], recordings: [], releases: ["3.9"], cases: 2, cases_in_part: 1 },
      "/gallery": { shares: [listed, { ...listed, sid: "8h3k", at: 0, lost: 0 }], next: "x" },
    });

    render(ArticlesPage, { props: { dress } });
    render(ArticlePage, { props: { dress, number: 0 } });
    render(ChallengesPage, { props: { dress } });
    render(FidelityPage, { props: { dress } });
    render(GalleryPage, { props: { dress } });
    render(GlossaryPage, { props: { dress, catalogue } });
    await vi.waitFor(() => expect(document.querySelectorAll("main h1").length).toBe(6));
    await vi.waitFor(() => expect(said().filter((text) => text === title.en).length).toBeGreaterThan(8));

    expect(english()).toEqual([]);
  });

  it("neither has the front page, a new run, the insights or a failure", async () => {
    render(Home, { props: { dress, catalogue, search: "" } });
    render(NewRun, { props: { dress, catalogue, onstart: () => undefined } });
    render(InsightsPage, { props: { dress, onnavigate: () => undefined } });
    for (const status of [0, 404, 410, 429]) render(Failure, { props: { dress, error: new ApiError(status, "x", "1"), onagain: () => undefined } });
    await vi.waitFor(() => expect(document.body.textContent).toContain(title.en));

    expect(english()).toEqual([]);
  });
});
