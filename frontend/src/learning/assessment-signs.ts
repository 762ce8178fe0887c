/** The signs of the three ratings; a sign is always shown with its word. */

import type { Assessment } from "../service/api";

export const ASSESSMENTS: readonly Assessment[] = ["right", "nearly", "wrong"];
export const SIGNS: Readonly<Record<Assessment, string>> = { right: "✓", nearly: "~", wrong: "✗" };

/** What a claim is in a release, from its rating and whether it is correct there. */
export function verdictIn(assessment: Assessment, holds: boolean): Assessment {
  if (holds) return "right";
  return assessment === "nearly" ? "nearly" : "wrong";
}
