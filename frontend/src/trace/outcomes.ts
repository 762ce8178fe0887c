/** The fates of acknowledged records and the status of properties, used by the whole page. */

import type { Frame, Produced, Property } from "./frame";

export type Fate = NonNullable<Produced["fate"]>;

export interface FateSince {
  readonly fate: Fate;
  /** The frame since which it has this fate; null if the document does not contain it. */
  readonly since: number | null;
}

/**
 * The fate of a record; null before its acknowledgement.
 *
 * In shares made before fates existed, a record is lost since no leader had it, or since its last
 * copy was lost.
 */
export function fateOf(frame: Pick<Frame, "properties">, record: Produced): FateSince | null {
  if (record.outcome !== "acked") return null;
  if (record.fate !== undefined && record.fate !== null)
    return { fate: record.fate, since: record.fate_frame ?? null };
  const lost = frame.properties.NoAckedRecordLost;
  const violatedIn =
    lost?.status === "violated" && (lost.evidence.records ?? []).some(({ id }) => id === record.id)
      ? lost.first_frame
      : null;
  const since = violatedIn ?? record.lost_frame;
  return { fate: since === null ? "safe" : "lost", since };
}

/** The permanent outcomes, which matter to users of Kafka. */
export const LOST = "NoAckedRecordLost";
export const OUTCOMES: readonly string[] = [LOST, "LogMatching", "ConsistentRead"];
export const AT_RISK = "AckedRecordAtRisk";

/** Now: violated in this state. Past: violated before, but not any more. */
export type Standing = "holds" | "not_exercised" | "now" | "past";

export function standingOf(property: Property): Standing {
  const { first_frame: first, until_frame: until, status } = property;
  if (first === null) return status === "violated" ? "now" : status;
  return until === null || until === undefined ? "now" : "past";
}

/** Records at risk can recover, so this is amber; every other violation is red. */
export function toneOf(name: string, property: Property): "good" | "warn" | "bad" | "quiet" {
  const standing = standingOf(property);
  if (standing === "now") return name === AT_RISK ? "warn" : "bad";
  return standing === "holds" ? "good" : "quiet";
}
