/** The parts of a run's page that skip links lead to. */

import { focusForNow } from "../focus/keep-focus";

export const SKIP_TARGETS = ["stage", "explanation", "actions", "timeline"] as const;
export type SkipTarget = (typeof SKIP_TARGETS)[number];

/** The id of the element that receives the focus. */
export function skipTargetId(part: SkipTarget): string {
  return `run-${part}`;
}

/** Scrolls a part into view, as far as necessary. */
export function showPart(part: SkipTarget): void {
  document.getElementById(skipTargetId(part))?.scrollIntoView({ block: "nearest" });
}

/** Moves the focus to the timeline's track, from which every key of the page works. */
export function focusTrack(): void {
  document.querySelector<HTMLElement>(`#${skipTargetId("timeline")} [role="slider"]`)?.focus();
}

/** Moves the focus to a part. */
export function focusPart(part: SkipTarget): void {
  const there = document.getElementById(skipTargetId(part));
  if (there === null) return;
  focusForNow(there);
  showPart(part);
}
