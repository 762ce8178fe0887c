/** What became of acknowledged records and of properties, as the page speaks of it everywhere. */

import type { Frame, Produced, Property } from "./frame";

export type Fate = NonNullable<Produced["fate"]>;

export interface FateSince {
  readonly fate: Fate;
  /** The frame since which it is so; null where the document does not say. */
  readonly since: number | null;
}

/**
 * What became of a record; null before it was acknowledged.
 *
 * What was shared before there were fates is shown as it was then: lost since no leader had it, or
 * since its last copy went.
 */
export function fateOf(frame: Pick<Frame, "properties">, record: Produced): FateSince | null {
  if (record.outcome !== "acked") return null;
  if (record.fate !== undefined && record.fate !== null) return { fate: record.fate, since: record.fate_frame ?? null };
  const lost = frame.properties.NoAckedRecordLost;
  const witness = lost?.status === "violated" && (lost.evidence.records ?? []).some(({ id }) => id === record.id) ? lost.first_frame : null;
  const since = witness ?? record.lost_frame;
  return { fate: since === null ? "safe" : "lost", since };
}

/** What cannot be undone, and is what people who use Kafka care about. */
export const OUTCOMES: readonly string[] = ["NoAckedRecordLost", "LogMatching", "ConsistentRead"];
export const AT_RISK = "AckedRecordAtRisk";

/** Now: violated in this state. Past: violated before, and in order again since. */
export type Standing = "holds" | "not_exercised" | "now" | "past";

export function standingOf(property: Property): Standing {
  const { first_frame: first, until_frame: until, status } = property;
  if (first === null) return status === "violated" ? "now" : status;
  return until === null || until === undefined ? "now" : "past";
}

/** What is at risk can take itself back, and is amber; everything else that is violated is red. */
export function toneOf(name: string, property: Property): "good" | "warn" | "bad" | "quiet" {
  const standing = standingOf(property);
  if (standing === "now") return name === AT_RISK ? "warn" : "bad";
  return standing === "holds" ? "good" : "quiet";
}
