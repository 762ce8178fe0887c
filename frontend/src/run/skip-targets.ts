/** The parts of a run's page that skip links lead to. */

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

/**
 * Moves the focus to a part. It can be focused only until it loses the focus: otherwise a click on
 * any text in it would focus the whole part, and the next key would show a focus ring around it.
 */
export function focusPart(part: SkipTarget): void {
  const there = document.getElementById(skipTargetId(part));
  if (there === null) return;
  there.tabIndex = -1;
  there.addEventListener("blur", () => there.removeAttribute("tabindex"), { once: true });
  there.focus();
  showPart(part);
}
