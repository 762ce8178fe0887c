/** The parts of a run's page that one can skip to. */

export const PARTS = ["stage", "explanation", "actions", "timeline"] as const;
export type Part = (typeof PARTS)[number];

/** The name of the element that takes the focus. */
export function partId(part: Part): string {
  return `run-${part}`;
}
