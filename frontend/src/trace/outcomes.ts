/** The fates of acknowledged records and the status of properties, used by the whole page. */

import type { Frame, Produced, Property } from "./frame";

export type Fate = NonNullable<Produced["fate"]>;

/** The permanent outcomes, which matter to users of Kafka. */
export const LOST = "NoAckedRecordLost";
export const OUTCOMES: readonly string[] = [LOST, "LogMatching", "ConsistentRead"];
export const AT_RISK = "AckedRecordAtRisk";

/** Now: violated in this state. Past: violated before, but not any more. */
export type Standing = "holds" | "not_exercised" | "now" | "past";

export function standingOf(property: Property): Standing {
  const { first_frame: first, until_frame: until, status } = property;
  if (first === null) return status === "violated" ? "now" : status;
  return until === null ? "now" : "past";
}

/** Records at risk can recover, so this is amber; every other violation is red. */
export function toneOf(name: string, property: Property): "good" | "warn" | "bad" | "quiet" {
  const standing = standingOf(property);
  if (standing === "now") return name === AT_RISK ? "warn" : "bad";
  return standing === "holds" ? "good" : "quiet";
}

/**
 * The first frame of a branch up to which a state could have violated a property, which the engine
 * says of every frame; null if none up to the given frame could, or the frame is not of the branch.
 */
export function firstExercised(
  branch: readonly Pick<Frame, "frame" | "properties">[],
  { frame: until }: Pick<Frame, "frame">,
  name: string,
): number | null {
  const last = branch.findLastIndex(({ frame }) => frame === until);
  const first = branch.slice(0, last + 1).find(({ properties }) => {
    const property = properties[name];
    return property !== undefined && property.status !== "not_exercised";
  });
  return first?.frame ?? null;
}
