/** The keys that perform steps. */

import type { StepName } from "../trace";

/** A key performs the first of its steps that is possible on the selected broker. */
export const BROKER_KEYS: Readonly<Record<string, readonly StepName[]>> = { k: ["crash", "start"], x: ["heal", "isolate"] };

/** The step whose form this key opens. Without shift, the key performs the most relevant one. */
export const FORM_STEP: StepName = "produce";
export const FORM_KEY = "P";

/** The key of a step, as it is shown on a button; null if it has none. */
export function keyOf(step: StepName): string | null {
  if (step === FORM_STEP) return FORM_KEY;
  const found = Object.entries(BROKER_KEYS).find(([, names]) => names.includes(step));
  return found === undefined ? null : found[0].toUpperCase();
}
