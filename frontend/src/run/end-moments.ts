/** The three moments of a lesson's card: before, the turn, and after. */

import type { Stop, StopMark } from "../trace/story";

export interface EndMoments {
  readonly before: Stop;
  /** Null if no step stands out between the two. */
  readonly turn: Stop | null;
  readonly after: Stop;
}

/** What ends a story, most telling first: the first of a run with one of them is its end. */
const ENDS: readonly StopMark[] = ["loss", "surprise", "divergence", "at_risk"];
/** What turns it, most telling first. */
const TURNS: readonly StopMark[] = ["truncation", "at_risk", "election", "isr", "fault"];

/**
 * The moments of a story: after is where a record is lost or another property is violated first, not
 * the steps that follow; before is the last acknowledgement before the turn. Null for a run without
 * steps.
 */
export function endMoments(stops: readonly Stop[]): EndMoments | null {
  const [start] = stops;
  const last = stops.at(-1);
  if (start === undefined || last === undefined || start === last) return null;
  const after = firstWith(stops, ENDS) ?? last;
  const between = stops.slice(1, stops.indexOf(after));
  const turn = firstWith(between, TURNS) ?? null;
  const earlier = between.slice(0, turn === null ? between.length : between.indexOf(turn));
  const before = earlier.findLast(({ marks }) => marks.includes("acknowledgement")) ?? start;
  return { before, turn, after };
}

function firstWith(stops: readonly Stop[], marks: readonly StopMark[]): Stop | undefined {
  return marks
    .map((mark) => stops.find((stop) => stop.marks.includes(mark)))
    .find((stop) => stop !== undefined);
}
