/** The signs of the three verdicts; a sign never stands without its word. */

import type { Verdict } from "../service/api";

export const VERDICTS: readonly Verdict[] = ["right", "nearly", "wrong"];
export const SIGNS: Readonly<Record<Verdict, string>> = { right: "✓", nearly: "~", wrong: "✗" };
