/** What kind of step a frame is, for the marks of a timeline. */

import type { Frame } from "./frame";

export type Marker = "violation" | "truncation" | "election" | "isr" | "acknowledged";

const KINDS: Readonly<Record<string, Marker>> = {
  PropertyViolated: "violation",
  LogTruncated: "truncation",
  UnflushedRecordsLost: "truncation",
  LeaderElected: "election",
  IsrExpanded: "isr",
  IsrShrunk: "isr",
  ProduceAcknowledged: "acknowledged",
};

/** The most telling first. */
export const MARKER_ORDER: readonly Marker[] = ["violation", "truncation", "election", "isr", "acknowledged"];

/** Every kind of mark that a frame has earned. */
export function markersOf(frame: Pick<Frame, "events">): ReadonlySet<Marker> {
  return new Set(frame.events.map((event) => KINDS[event.kind]).filter((marker) => marker !== undefined));
}

/** The most telling mark of a frame; null for a step like any other. */
export function markerOf(frame: Pick<Frame, "events">): Marker | null {
  const markers = markersOf(frame);
  return MARKER_ORDER.find((marker) => markers.has(marker)) ?? null;
}

export const MARKER_SIGNS: Readonly<Record<Marker, string>> = {
  violation: "✖",
  truncation: "✂",
  election: "◆",
  isr: "▲",
  acknowledged: "✓",
};
