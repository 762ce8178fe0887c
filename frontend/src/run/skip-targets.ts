/** The parts of a run's page that skip links lead to. */

export const SKIP_TARGETS = ["stage", "explanation", "actions", "timeline"] as const;
export type SkipTarget = (typeof SKIP_TARGETS)[number];

/** The id of the element that receives the focus. */
export function skipTargetId(part: SkipTarget): string {
  return `run-${part}`;
}
