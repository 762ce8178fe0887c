import { cleanup, fireEvent } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "./session/fixtures";
import { renderIn } from "./language/render-fixture";
import { PSEUDO } from "../pseudo-language.config";
import ChallengePage from "./challenges/ChallengePage.svelte";
import FollowPage from "./present/FollowPage.svelte";
import PresentView from "./present/PresentView.svelte";
import Recorded from "./recordings/Recorded.svelte";
import { api, type AskedQuestion, type RecordedRun, type Scene } from "./service/api";
import { Player } from "./session/player.svelte";
import ShareDialog from "./sharing/ShareDialog.svelte";
import { catalogue, english, said, scenario, serve, title } from "./third-language-fixture";
import { ui } from "./site/ui-fixture";
import { loss } from "./trace/fixtures";

const render = renderIn(PSEUDO);

const QUESTION: AskedQuestion = {
  key: "q",
  text: title,
  answers: [title, title],
  correct: 1,
  reasons: [title, title],
};
const AUDIENCE = { here: 3, votes: [2, 1] };

/** A connection on which the test says what the service would. */
class Source extends EventTarget {
  static opened: Source[] = [];

  constructor() {
    super();
    Source.opened.push(this);
  }

  close(): void {
    // Nothing is held open.
  }

  static tell(name: string, data: unknown): void {
    for (const source of Source.opened)
      source.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
}

const entries = loss.map((frame, place) => (place === 0 ? frame : { ...frame }));

describe("in a language that only its folder knows", () => {
  beforeEach(() => {
    Source.opened = [];
    vi.stubGlobal("EventSource", Source);
    // A frame has a document of its own, so nothing is loaded into it.
    vi.spyOn(HTMLIFrameElement.prototype, "getAttribute").mockImplementation(function (
      this: Element,
      name,
    ) {
      return name === "srcdoc" ? "" : Element.prototype.getAttribute.call(this, name);
    });
    Object.assign(document, { exitFullscreen: () => Promise.resolve() });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it.each(["open", "won", "stuck"] as const)(
    "a challenge that is %s has no English",
    async (result) => {
      const step = { crash: { broker: 1 } };
      const challenge = {
        id: "a",
        title,
        goal: title,
        hints: [title],
        kafka: "3.9",
        brokers: 2,
        configs: { "min.insync.replicas": 1 },
        property: "NoAckedRecordLost",
        value: "m1",
        budget: { crash: 2 },
        searched: { best: result === "stuck" ? null : 1, states: 7, complete: true },
        solution: [],
        also: [{ id: "b", title, searched: { best: 2, states: 7, complete: true } }],
      };
      const records = [
        {
          value: "m1",
          fate: result === "won" ? "lost" : "committed",
          copies: [1],
          on_disk: [],
          may_lead: [1, 2],
        },
      ];
      serve({
        "/challenges/a/start": {
          result,
          moves: [{ step, token: "crash" }],
          starts: [13],
          left: { crash: 1 },
          possible: [
            { step, token: "crash" },
            { step: { fetch: { broker: 2 } }, token: null },
          ],
          told: title,
          records,
          frames: loss.slice(12, 14),
          scenario,
        },
        "/challenges/a": challenge,
      });

      render(ChallengePage, { props: { ui, catalogue, id: "a", onrun: () => undefined } });
      await vi.waitFor(() =>
        expect(said().filter((text) => text === title.en).length).toBeGreaterThan(1),
      );
      for (const button of document.querySelectorAll<HTMLElement>("button.link"))
        await fireEvent.click(button);

      expect(said().length).toBeGreaterThan(30);
      expect(english()).toEqual([]);
    },
  );

  it("a presentation has none, before a question is answered and after", async () => {
    vi.spyOn(api, "createPresentation").mockResolvedValue({ code: "ABCD", token: "t" } as never);
    vi.spyOn(api, "showMoment").mockResolvedValue(undefined as never);
    vi.spyOn(api, "endPresentation").mockResolvedValue(undefined as never);
    const run = runOf(loss, { at: 13, session: "7h3k", title });
    const player = new Player(run, { question: () => null } as never);
    const [previous, frame] = loss.slice(12, 14);
    if (frame === undefined || previous === undefined) throw new Error("the run is shorter");

    render(PresentView, {
      props: {
        player,
        frame,
        previous,
        whole: false,
        question: QUESTION,
        notes: [],
        title: title.en,
        catalogue,
        onward: () => undefined,
        onleave: () => undefined,
        caption: createRawSnippet(() => ({ render: () => "<p></p>" })),
      },
    });
    await vi.waitFor(() => expect(Source.opened).toHaveLength(1));
    Source.tell("audience", AUDIENCE);
    expect(english()).toEqual([]);
    await fireEvent.keyDown(document.activeElement ?? document.body, { key: "v" });

    expect(said()).toContain(title.en);
    expect(english()).toEqual([]);
  });

  it.each([
    { name: "a question", question: QUESTION, revealed: false, black: false, ended: false },
    { name: "its answer", question: QUESTION, revealed: true, black: false, ended: false },
    { name: "nothing for a while", question: null, revealed: false, black: true, ended: false },
    { name: "the end", question: null, revealed: false, black: false, ended: true },
  ])(
    "neither has the page of those who follow it, with $name",
    async ({ question, revealed, black, ended }) => {
      const scene = {
        title,
        kafka: "0.10.2",
        step: 3,
        step_frames: [0, 1, 2],
        begins: true,
        frames: entries.slice(0, 1),
        told: null,
        question,
        revealed,
        black,
        ended,
      } as unknown as Scene;

      render(FollowPage, { props: { code: "ABCD", catalogue, onrun: () => undefined } });
      expect(english()).toEqual([]);
      Source.tell("audience", AUDIENCE);
      Source.tell("scene", scene);
      await vi.waitFor(() => expect(said()).toContain(title.en));

      expect(english()).toEqual([]);
    },
  );

  it("nor what was read on a real cluster beside a run", () => {
    const read = [
      "saw/leader",
      "saw/isr",
      "saw/fenced",
      "produced/1/offset",
      "produced/1/error",
      "saw/consumable_end",
      "metadata_records",
      "saw/brokers/1/log",
      "saw/brokers/2/process",
    ];
    const compared = (["equal", "differs", "not_held"] as const).map((standing) =>
      read.map((where) => ({
        where,
        recorded: where.endsWith("fenced") ? false : 1,
        engine: null,
        standing,
      })),
    );
    const checkpoints = [...compared, []].map((values, place) => ({
      step: place + 1,
      frame: place,
      settled: place > 0,
      compared: values,
    }));
    const recorded = {
      name: "a",
      id: "a",
      kafka: "3.9.1",
      title: "x",
      said: { en: "What it shows, in English." },
      steps: 3,
      checkpoints,
    } as unknown as RecordedRun;

    for (const step of [0, 1, 2, 3, 4]) render(Recorded, { props: { recorded, step } });

    expect(said().length).toBeGreaterThan(60);
    expect(english()).toEqual([]);
  });

  it("nor the share dialog once a run is stored, in any of its parts", async () => {
    const shared = {
      sid: "7h3k",
      token: "t",
      url: "https://h/s/7h3k",
      embed_url: "https://h/e/v1/s/7h3k",
      svg_url: "https://h/s/7h3k.svg",
    };
    serve({
      "/shares": shared,
      "/link": { steps: [] },
      "/limits": { limits: [{ name: "animated_pictures", number: 40 }] },
    });

    for (const tab of ["link", "embed", "picture", "file"] as const) {
      render(ShareDialog, {
        props: {
          session: "s",
          at: 0,
          end: 9,
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
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const button of [...document.querySelectorAll("button[type=submit], button.primary")])
      await fireEvent.click(button);
    await vi.waitFor(() =>
      expect(
        document.querySelectorAll("input[readonly], output, pre, textarea").length,
      ).toBeGreaterThan(0),
    );

    expect(said().length).toBeGreaterThan(40);
    expect(english()).toEqual([]);
  });
});
