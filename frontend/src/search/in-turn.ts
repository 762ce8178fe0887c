/**
 * Searches one after the other: small budgets before large ones. Whole exchanges come first, because
 * they find most failures in few states, and have at most half of the processor time. What they
 * exhaust is not complete, so every message is searched for those budgets after that. The first
 * failure found ends them all.
 */

import type { SearchQuestion, SearchResult } from "../service/search";
import type { Budget, Grain } from "./presets";

export type Question = SearchQuestion & { readonly after: number };

export interface Turn {
  readonly budget: Budget;
  readonly result: SearchResult;
}

/** The results in their order; the last one is the result of it all. */
export async function* searchesInTurn(
  question: Question,
  { budgets, grain }: { readonly budgets: readonly Budget[]; readonly grain: Grain },
  ask: (question: Question) => Promise<SearchResult>,
): AsyncGenerator<Turn, void> {
  const limit = question.seconds ?? 0;
  const phases: readonly Phase[] =
    grain === "both"
      ? [
          { grain: "exchange", until: Math.ceil(limit / 2) },
          { grain: "message", until: limit },
        ]
      : [{ grain, until: limit }];
  let used = 0;
  let searched = budgets;
  for (const phase of phases) {
    const complete: Budget[] = [];
    for (const budget of searched) {
      const seconds = Math.floor(phase.until - used);
      if (seconds < 1) break;
      const result = await ask({ ...question, budget, grain: phase.grain, seconds });
      yield { budget, result };
      if (result.verdict === "violated" || result.limit === "interrupt") return;
      used += result.cpu_seconds;
      if (!result.complete) break;
      complete.push(budget);
    }
    searched = complete;
  }
}

interface Phase {
  readonly grain: SearchResult["grain"];
  /** When it ends, in seconds of processor time of all searches. */
  readonly until: number;
}

/** What is decided besides the last result: for each budget by the finest grain. */
export function decidedBefore(turns: readonly Turn[]): readonly Turn[] {
  return turns
    .slice(0, -1)
    .filter(
      (turn, at) =>
        turn.result.complete &&
        !turns
          .slice(at + 1)
          .some(({ budget, result }) => budget === turn.budget && result.complete),
    );
}
