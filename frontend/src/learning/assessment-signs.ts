/** The signs of the three ratings; a sign is always shown with its word. */

import type { Assessment } from "../service/api";

export const ASSESSMENTS: readonly Assessment[] = ["right", "nearly", "wrong"];
export const SIGNS: Readonly<Record<Assessment, string>> = { right: "✓", nearly: "~", wrong: "✗" };
