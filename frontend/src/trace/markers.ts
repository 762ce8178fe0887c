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

const ORDER: readonly Marker[] = ["violation", "truncation", "election", "isr", "acknowledged"];

/** The most telling mark of a frame; null for a step like any other. */
export function markerOf(frame: Pick<Frame, "events">): Marker | null {
  const markers = new Set(frame.events.map((event) => KINDS[event.kind]));
  return ORDER.find((marker) => markers.has(marker)) ?? null;
}

export const MARKER_SIGNS: Readonly<Record<Marker, string>> = {
  violation: "✖",
  truncation: "✂",
  election: "◆",
  isr: "▲",
  acknowledged: "✓",
};
