/** What kind of step a frame is, for the marks of a timeline. */

import type { Frame } from "./frame";

export type TimelineMark = "violation" | "truncation" | "election" | "isr" | "acknowledged";

const KINDS: Readonly<Record<string, TimelineMark>> = {
  PropertyViolated: "violation",
  LogTruncated: "truncation",
  UnflushedRecordsLost: "truncation",
  LeaderElected: "election",
  IsrExpanded: "isr",
  IsrShrunk: "isr",
  ProduceAcknowledged: "acknowledged",
};

/** The most telling first. */
export const TIMELINE_MARK_ORDER: readonly TimelineMark[] = ["violation", "truncation", "election", "isr", "acknowledged"];

/** Every kind of mark that a frame has earned. */
export function timelineMarksOf(frame: Pick<Frame, "events">): ReadonlySet<TimelineMark> {
  return new Set(frame.events.map((event) => KINDS[event.kind]).filter((mark) => mark !== undefined));
}

/** The most telling mark of a frame; null for a step like any other. */
export function timelineMarkOf(frame: Pick<Frame, "events">): TimelineMark | null {
  const marks = timelineMarksOf(frame);
  return TIMELINE_MARK_ORDER.find((mark) => marks.has(mark)) ?? null;
}

export const TIMELINE_MARK_SIGNS: Readonly<Record<TimelineMark, string>> = {
  violation: "✖",
  truncation: "✂",
  election: "◆",
  isr: "▲",
  acknowledged: "✓",
};
