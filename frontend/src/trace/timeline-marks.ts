/** What kind of step a frame is, for the marks of a timeline. */

import type { Frame } from "./frame";
import { AT_RISK } from "./verdict";

export type TimelineMark = "violation" | "risk" | "truncation" | "election" | "isr" | "acknowledged";

const KINDS: Readonly<Record<string, TimelineMark>> = {
  PropertyViolated: "violation",
  RecordsAtRisk: "risk",
  LogTruncated: "truncation",
  UnflushedRecordsLost: "truncation",
  LeaderElected: "election",
  IsrExpanded: "isr",
  IsrShrunk: "isr",
  ProduceAcknowledged: "acknowledged",
};

/** The most telling first. */
export const TIMELINE_MARK_ORDER: readonly TimelineMark[] = ["violation", "risk", "truncation", "election", "isr", "acknowledged"];

/** Every kind of mark that a frame has earned. */
export function timelineMarksOf(frame: Pick<Frame, "events">): ReadonlySet<TimelineMark> {
  return new Set(frame.events.map((event) => (event.numbers.property === AT_RISK ? "risk" : KINDS[event.kind])).filter((mark) => mark !== undefined));
}

/** The most telling mark of a frame; null for a step like any other. */
export function timelineMarkOf(frame: Pick<Frame, "events">): TimelineMark | null {
  const marks = timelineMarksOf(frame);
  return TIMELINE_MARK_ORDER.find((mark) => marks.has(mark)) ?? null;
}

export const TIMELINE_MARK_SIGNS: Readonly<Record<TimelineMark, string>> = {
  violation: "✖",
  risk: "!",
  truncation: "✂",
  election: "◆",
  isr: "▲",
  acknowledged: "✓",
};
