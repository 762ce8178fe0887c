/**
 * Searches one after the other: whole steps, then exchanges, then single messages, and of each small
 * budgets before large ones. Whole steps need the fewest states. What they exhaust may still fail
 * between two messages, so a finer grain searches those budgets again. The first failure found ends
 * them all.
 */

import type { SearchableFault, SearchQuestion, SearchResult } from "../service/search";
import table from "./decided.json";

export type Budget = Readonly<Partial<Record<SearchableFault["name"], number>>>;

/** One grain, or `all` in turn: whole steps, which need few states, exchanges, every message. */
export const GRAINS = ["all", "step", "exchange", "message"] as const;
export type Grain = (typeof GRAINS)[number];

export type Question = SearchQuestion & { readonly after: number };

export interface Turn {
  readonly budget: Budget;
  readonly result: SearchResult;
}

interface Phase {
  readonly grain: SearchResult["grain"];
  /** When it ends, as a share of the processor time of all searches. */
  readonly until: number;
}

const IN_TURN = table.phases as readonly Phase[];
/** The share of the processor time that whole steps have at most, if finer grains follow. */
export const SHARE_OF_STEPS = IN_TURN[0]?.until ?? 1;

/** The results in their order. */
export async function* searchesInTurn(
  question: Question,
  { budgets, grain }: { readonly budgets: readonly Budget[]; readonly grain: Grain },
  ask: (question: Question) => Promise<SearchResult>,
): AsyncGenerator<Turn, void> {
  const limit = question.seconds ?? 0;
  let used = 0;
  let searched = budgets;
  /** Numbers of records to send with which nothing could be violated; more faults change nothing. */
  const idle = new Set<number>();
  for (const phase of grain === "all" ? IN_TURN : [{ grain, until: 1 }]) {
    const following: Budget[] = [];
    for (const budget of searched) {
      const seconds = Math.floor(phase.until * limit - used);
      if (seconds < 1) break;
      if (idle.has(budget.produce ?? 0)) continue;
      const result = await ask({ ...question, budget, grain: phase.grain, seconds });
      yield { budget, result };
      if (result.verdict === "violated" || result.limit === "interrupt") return;
      used += result.cpu_seconds;
      if (!isChecked(result)) idle.add(budget.produce ?? 0);
      // If nothing is exhausted, a finer grain may still find a failure with the smallest budget.
      if (result.complete ? isChecked(result) : following.length === 0) following.push(budget);
      if (!result.complete) break;
    }
    searched = following;
  }
}

/** False if everything was examined, and nothing could have been violated. */
function isChecked(result: SearchResult): boolean {
  return result.exercised || !result.complete;
}

/** What to state of searches in turn, the strongest first. */
export interface Summary {
  readonly strongest: Turn;
  /** What else is decided: without that which follows from a stronger result. */
  readonly decided: readonly Turn[];
  readonly undecided: readonly Turn[];
}

/** Null without a result. */
export function summaryOf(turns: readonly Turn[]): Summary | null {
  const most = Math.max(...turns.map(weightOf));
  const best = turns.filter((turn) => weightOf(turn) === most);
  const strongest = best.findLast(({ result }) => result.grain === best[0]?.result.grain);
  if (strongest === undefined) return null;
  const decided = turns.filter(isDecided);
  return {
    strongest,
    decided: decided.filter(
      (turn) => turn !== strongest && !decided.some((other) => implies(other, turn)),
    ),
    undecided: turns.filter(
      (turn) => turn !== strongest && !turn.result.complete && weightOf(turn) < DECIDED,
    ),
  };
}

const DECIDED = 3;

/** Whether everything that it may try was examined, and something could have failed. */
export function isDecided(turn: Turn): boolean {
  return weightOf(turn) === DECIDED;
}

function weightOf({ result }: Turn): number {
  if (result.verdict === "violated") return DECIDED + 1;
  if (!result.exercised) return 0;
  if (result.complete) return DECIDED;
  return result.verdict === "none_within_bound" ? 2 : 1;
}

/** Whether what one search exhausts includes everything that another one exhausts. */
function implies(one: Turn, other: Turn): boolean {
  return (
    one !== other &&
    grainOf(one) >= grainOf(other) &&
    Object.entries(other.budget).every(
      ([name, count]) => (one.budget[name as keyof Budget] ?? 0) >= count,
    )
  );
}

function grainOf({ result }: Turn): number {
  return IN_TURN.findIndex(({ grain }) => grain === result.grain);
}
