import { describe, expect, it, vi } from "vitest";

import type { AssessmentQuestion, Searched, Searches } from "../service/assessments";
import { Searching } from "./searching.svelte";

const ASKED: AssessmentQuestion = { files: [{ name: "pasted", text: "Topic: t" }] };
const words = (en: string) => ({ en, zh: en });
const SEARCHED: Searched = {
  partition: "t-0",
  question: "crashes",
  outcome: "none",
  text: words("no acknowledged record is lost"),
  scope: words("All 41,200 states were tried."),
  left_out: words("Left out: power losses."),
  states: 41_200,
  start: null,
  steps: null,
};

interface Asked {
  readonly told: Parameters<NonNullable<ConstructorParameters<typeof Searching>[0]>>[2];
  readonly answer: (searches: Searches) => void;
  readonly fail: (error: unknown) => void;
  readonly signal: AbortSignal;
}

function searches(more: Partial<Searches> = {}): Searches {
  return {
    partition: "t-0",
    searches: [SEARCHED],
    running: null,
    is_interrupted: false,
    ...more,
  };
}

function service(end = vi.fn(() => Promise.resolve(undefined))) {
  const asked: Asked[] = [];
  const ask = (
    _question: AssessmentQuestion,
    _partition: string,
    told: Asked["told"],
    signal: AbortSignal,
  ): Promise<Searches> => new Promise((answer, fail) => asked.push({ told, answer, fail, signal }));
  return { asked, end, searching: new Searching(ask, end) };
}

describe("the search of a partition", () => {
  it("shows what is decided before it has ended, and shares only what has", async () => {
    const { asked, searching } = service();
    const search = searching.search(ASKED, "t-0");

    asked[0]?.told.onprogress(searches({ running: words("Searching t-0") }));
    expect(searching.found[0]?.searches).toEqual([SEARCHED]);
    expect(searching.complete).toEqual([]);
    asked[0]?.answer(searches());
    await search;

    expect(searching.partition).toBeNull();
    expect(searching.complete).toEqual(["t-0"]);
  });

  it("is stopped by the service, which says how far it came", async () => {
    const { asked, end, searching } = service();
    const search = searching.search(ASKED, "t-0");
    asked[0]?.told.onstarted("an id");

    searching.stop();
    expect(end).toHaveBeenCalledWith("an id");
    expect(asked[0]?.signal.aborted).toBe(false);
    asked[0]?.answer(searches({ is_interrupted: true }));
    await search;

    expect(searching.found).toHaveLength(1);
    expect(searching.complete).toEqual([]);
    expect(searching.isKnown("t-0")).toBe(false);
  });

  it("ends without a result if the service cannot be told", async () => {
    const { asked, searching } = service(vi.fn(() => Promise.reject(new Error("gone"))));
    void searching.search(ASKED, "t-0");
    asked[0]?.told.onstarted("an id");

    searching.stop();
    await vi.waitFor(() => expect(asked[0]?.signal.aborted).toBe(true));

    expect(searching.partition).toBeNull();
    expect(searching.failed).toBeNull();
  });

  it("ends for another partition, and keeps complete results", async () => {
    const { asked, searching } = service();
    const first = searching.search(ASKED, "t-0");
    asked[0]?.answer(searches());
    await first;
    void searching.search(ASKED, "t-1");
    asked[1]?.told.onprogress(searches({ partition: "t-1", running: words("…") }));
    const third = searching.search(ASKED, "t-2");

    expect(asked[1]?.signal.aborted).toBe(true);
    asked[1]?.fail(new Error("aborted"));
    asked[2]?.answer(searches({ partition: "t-2" }));
    await third;

    expect(searching.found.map(({ partition }) => partition)).toEqual(["t-0", "t-2"]);
    expect(searching.failed).toBeNull();
  });

  it("says of which partition the search failed", async () => {
    const { asked, searching } = service();
    const search = searching.search(ASKED, "t-0");
    const error = new Error("All places are in use.");
    asked[0]?.fail(error);
    await search;

    expect(searching.failed).toEqual({ partition: "t-0", error });
    searching.reset();
    expect(searching.failed).toBeNull();
  });
});
