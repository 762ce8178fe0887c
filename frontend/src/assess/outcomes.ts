/** What a cell of the table shows. */

import type { AssessmentPage, Cell } from "../service/assessments";

/** `none`: the failure cannot happen to this partition; `pending`: not computed yet. */
export type Outcome = NonNullable<Cell["verdict"]> | "undecided" | "none" | "pending";

export function outcomeOf({ applies, undecided, verdict }: Cell): Outcome {
  if (!applies) return "none";
  return undecided ? "undecided" : (verdict ?? "pending");
}

/** The counts below the sentence, with the outcome whose sign each has. */
export const COUNTED = ["can_lose", "stop", "keep"] as const;
export type Counted = (typeof COUNTED)[number];
export const SIGN_OF = { can_lose: "can_lose", stop: "writes_stop", keep: "keeps" } as const;

/** The numbers of partitions that can lose, only stop taking writes, or keep everything. */
export function countsOf({ counts }: AssessmentPage): Readonly<Record<Counted, number>> {
  return {
    can_lose: counts.lost + counts.can_lose,
    stop: counts.unavailable + counts.writes_stop,
    keep: counts.keeps,
  };
}
