import { describe, expect, it } from "vitest";

import type { SearchResult } from "../service/search";
import { decidedBefore, searchesInTurn, type Question, type Turn } from "./in-turn";
import { searchResult } from "./result-fixture";

const SMALL = { crash: 1 };
const LARGE = { crash: 2 };
const QUESTION: Question = { after: 3, property: "NoAckedRecordLost", seconds: 20 };

/** Searches, each with a result: what was asked, and the results. */
async function searched(
  grain: "both" | "message",
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
  it("searches small budgets first, and every message after whole exchanges", async () => {
    const { asked, turns } = await searched("both");

    expect(asked).toEqual(["exchange 1", "exchange 2", "message 1", "message 2"]);
    expect(turns.map(({ budget }) => budget)).toEqual([SMALL, LARGE, SMALL, LARGE]);
  });

  it("ends with the first failure", async () => {
    const { asked } = await searched("both", {}, { verdict: "violated", complete: false });

    expect(asked).toEqual(["exchange 1", "exchange 2"]);
  });

  it("ends when the user cancels", async () => {
    expect((await searched("both", { ...CUT, limit: "interrupt" })).asked).toEqual(["exchange 1"]);
  });

  it("searches every message only for what exchanges exhaust", async () => {
    const { asked } = await searched("both", {}, CUT, {});

    expect(asked).toEqual(["exchange 1", "exchange 2", "message 1"]);
  });

  it("ends once messages are cut", async () => {
    const { asked } = await searched("both", {}, {}, CUT);

    expect(asked).toEqual(["exchange 1", "exchange 2", "message 1"]);
  });

  it("has one limit of processor time, of which exchanges have at most half", async () => {
    const used = (cpu_seconds: number) => ({ cpu_seconds });

    expect((await searched("both", used(4.5), used(5.5), used(3), used(3))).seconds).toEqual([
      10, 5, 10, 7,
    ]);
    expect((await searched("message", used(19.5))).seconds).toEqual([20]);
  });

  it("states of each budget what its finest complete search decided", async () => {
    const { turns } = await searched("both", {}, {}, {}, CUT);

    const before = decidedBefore(turns);

    expect(before.map(({ budget }) => budget)).toEqual([LARGE, SMALL]);
    expect(before.map((turn) => turns.indexOf(turn))).toEqual([1, 2]);
  });
});
