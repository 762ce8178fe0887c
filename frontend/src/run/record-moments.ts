/** What happened to a record, as places in the run to go to. */

import type { Frame } from "../trace";

export interface RecordMoment {
  readonly what: "recordSent" | "recordAcked" | "recordAtRisk" | "recordLost" | "recordGone";
  readonly value: string;
  readonly frame: number;
}

/**
 * The moments of the record with this id, in their order, as the document of a frame tells them: its
 * last fate, not those that were taken back. Of two in one frame, the one that says more. None for
 * a record that no producer sent in this run.
 */
export function momentsOf(id: string, told: Pick<Frame, "state">): RecordMoment[] {
  const record = told.state.clients.produced.find((one) => one.id === id);
  if (record === undefined) return [];
  const standing = record.fate === "lost" ? ("recordLost" as const) : ("recordAtRisk" as const);
  const moments: readonly (readonly [RecordMoment["what"], number | null])[] = [
    ["recordSent", record.frame],
    ["recordAcked", record.acked_frame],
    ["recordGone", record.lost_frame],
    [standing, record.fate === "safe" ? null : record.fate_frame],
  ];
  const byFrame = new Map<number, RecordMoment>();
  for (const [what, frame] of moments) {
    if (frame !== null) byFrame.set(frame, { what, value: record.value, frame });
  }
  return [...byFrame.values()].sort((a, b) => a.frame - b.frame);
}
