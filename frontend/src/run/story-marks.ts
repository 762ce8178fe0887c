/** The marks of the story on the timeline: their names and counts. */

import { STORY_SIGNS, type Stop, type StopMark } from "../trace/story";
import type { Word } from "languages:run";

export const STORY_MARKS = Object.keys(STORY_SIGNS) as readonly StopMark[];

export const MARK_NAMES: Readonly<Record<StopMark, Word>> = {
  loss: "mark-loss",
  at_risk: "mark-at_risk",
  surprise: "mark-surprise",
  divergence: "mark-divergence",
  truncation: "mark-truncation",
  election: "mark-election",
  isr: "mark-isr",
  fault: "mark-fault",
  acknowledgement: "mark-acknowledgement",
  question: "mark-question",
  note: "mark-note",
};

export interface MarkCount {
  readonly mark: StopMark;
  /** The records, elections and so on of all steps, not the steps: a step may lose two records. */
  readonly count: number;
  /** Whether a step has the mark. Its count may be 0: a lost leader is marked as an election. */
  readonly present: boolean;
}

export function countOf(stops: readonly Stop[], mark: StopMark): MarkCount {
  const marked = stops.filter((stop) => stop.marks.includes(mark));
  return {
    mark,
    count: marked.reduce((sum, { counts }) => sum + (counts?.[mark] ?? 1), 0),
    present: marked.length > 0,
  };
}

/** The nearest step in a direction with one of some marks. */
export function nextWith(
  stops: readonly Stop[],
  here: Stop | undefined,
  marks: ReadonlySet<StopMark>,
  direction: 1 | -1,
): Stop | undefined {
  const index = stops.findIndex((stop) => stop === here);
  const ahead =
    direction === 1 ? stops.slice(index + 1) : stops.slice(0, Math.max(index, 0)).reverse();
  return ahead.find((stop) => stop.marks.some((mark) => marks.has(mark)));
}
