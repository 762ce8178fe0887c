import { describe, expect, it } from "vitest";

import type { SearchResult } from "../service/search";
import { searchesInTurn, summaryOf, type Question, type Turn } from "./in-turn";
import { searchResult } from "./result-fixture";

const SMALL = { crash: 1 };
const LARGE = { crash: 2 };
const QUESTION: Question = { after: 3, property: "NoAckedRecordLost", seconds: 20 };

/** Searches, each with a result: what was asked, and the results. */
async function searched(
  grain: "all" | "message",
  ...results: readonly Partial<SearchResult>[]
): Promise<{ asked: string[]; seconds: (number | undefined)[]; turns: Turn[] }> {
  const asked: string[] = [];
  const seconds: (number | undefined)[] = [];
  const turns: Turn[] = [];
  const ask = (question: Question): Promise<SearchResult> => {
    const result = results[asked.length] ?? {};
    asked.push(`${question.grain ?? ""} ${question.budget?.crash ?? 0}`);
    seconds.push(question.seconds);
    return Promise.resolve(
      searchResult({ verdict: "none_within_bound", complete: true, limit: null, ...result }),
    );
  };
  for await (const turn of searchesInTurn(QUESTION, { budgets: [SMALL, LARGE], grain }, ask))
    turns.push(turn);
  return { asked, seconds, turns };
}

const CUT = { verdict: "cut", complete: false, limit: "cpu_seconds" } as const;

describe("searches in turn", () => {
  it("searches whole steps first, and small budgets before large ones", async () => {
    const { asked, turns } = await searched("all");

    expect(asked).toEqual([
      ...["step 1", "step 2", "exchange 1", "exchange 2"],
      ...["message 1", "message 2"],
    ]);
    expect(turns.map(({ budget }) => budget)).toEqual([SMALL, LARGE, SMALL, LARGE, SMALL, LARGE]);
  });

  it("ends with the first failure", async () => {
    const { asked } = await searched("all", {}, { verdict: "violated", complete: false });

    expect(asked).toEqual(["step 1", "step 2"]);
  });

  it("ends when the user cancels", async () => {
    expect((await searched("all", { ...CUT, limit: "interrupt" })).asked).toEqual(["step 1"]);
  });

  it("searches with a finer grain only what a coarser one exhausts", async () => {
    const { asked } = await searched("all", {}, CUT, {}, CUT);

    expect(asked).toEqual(["step 1", "step 2", "exchange 1", "message 1"]);
  });

  it("searches nothing with more faults if nothing was checked without records to send", async () => {
    const NONE = { verdict: "not_exercised", exercised: false } as const;
    const budgets = [SMALL, LARGE, { ...LARGE, produce: 1 }];
    const asked: string[] = [];
    const ask = ({ grain, budget }: Question): Promise<SearchResult> => {
      asked.push(`${grain ?? ""} ${budget?.crash ?? 0} ${budget?.produce ?? 0}`);
      const checked = budget?.produce === 1 ? { exercised: true } : NONE;
      return Promise.resolve(searchResult({ complete: true, limit: null, ...checked }));
    };

    for await (const turn of searchesInTurn(QUESTION, { budgets, grain: "all" }, ask))
      expect(turn.result.complete).toBe(true);

    expect(asked).toEqual(["step 1 0", "step 2 1", "exchange 2 1", "message 2 1"]);
  });

  it("searches the smallest budget with every grain if none is exhausted", async () => {
    const { asked } = await searched("all", CUT, CUT, CUT);

    expect(asked).toEqual(["step 1", "exchange 1", "message 1"]);
  });

  it("has one limit of processor time, of which whole steps have at most half", async () => {
    const used = (cpu_seconds: number) => ({ cpu_seconds });

    expect(
      (await searched("all", used(4.5), used(5.5), used(3), { ...used(5), ...CUT }, used(1)))
        .seconds,
    ).toEqual([10, 5, 7, 4, 2]);
    expect((await searched("message", used(19.5))).seconds).toEqual([20]);
  });
});

describe("the summary of searches in turn", () => {
  const found = async (...results: readonly Partial<SearchResult>[]) => {
    const { turns } = await searched("all", ...results);
    // Results name the grain that was asked for.
    const grains = ["step", "step", "exchange", "exchange", "message"] as const;
    return summaryOf(
      turns.map((turn, at) => ({
        ...turn,
        result: { ...turn.result, grain: grains[at] ?? "message" },
      })),
    );
  };

  it("states first the most that whole steps decide, then what a finer grain decides", async () => {
    const summary = await found({}, {}, {}, CUT, CUT);

    expect(summary?.strongest).toMatchObject({ budget: LARGE, result: { grain: "step" } });
    expect(summary?.decided).toMatchObject([{ budget: SMALL, result: { grain: "exchange" } }]);
    expect(summary?.undecided).toMatchObject([
      { budget: LARGE, result: { grain: "exchange" } },
      { budget: SMALL, result: { grain: "message" } },
    ]);
  });

  it("states a failure before everything else", async () => {
    const summary = await found({}, {}, { verdict: "violated", complete: false });

    expect(summary?.strongest.result.verdict).toBe("violated");
    expect(summary?.decided).toMatchObject([{ budget: LARGE, result: { grain: "step" } }]);
  });

  it("does not call decided what was not exercised", async () => {
    const summary = await found({ verdict: "not_exercised", exercised: false });

    expect(summary?.strongest.result.verdict).toBe("not_exercised");
    expect(summary?.decided).toEqual([]);
  });

  it("is null without a result", () => {
    expect(summaryOf([])).toBeNull();
  });
});
