/** The keys that perform steps. */

import type { Choice } from "../service/api";
import type { StepName } from "../trace";
import { choiceOn } from "./choices";

/** A key performs the first of its steps that is possible on the selected broker. */
export const BROKER_KEYS: Readonly<Record<string, readonly StepName[]>> = {
  k: ["crash", "start"],
  x: ["heal", "isolate"],
};

/** The step whose form this key opens. Without shift, the key performs the most relevant one. */
export const FORM_STEP: StepName = "produce";
export const FORM_KEY = "P";

/** The most relevant step of the kind that has a form. */
export function choiceOfForm(choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice.enabled && FORM_STEP in choice.step);
}

/** The key that now performs one of a button's steps, as it is shown there; null if none does. `selected` is the broker that keys act on. */
export function keyOf(
  own: readonly Choice[],
  choices: readonly Choice[],
  selected: number | null,
): string | null {
  const performs = (choice: Choice | undefined): boolean =>
    choice !== undefined && own.includes(choice);
  if (performs(choiceOfForm(choices))) return FORM_KEY;
  const found =
    selected === null
      ? undefined
      : Object.entries(BROKER_KEYS).find(([, names]) =>
          performs(choiceOn(choices, selected, names)),
        );
  return found === undefined ? null : found[0].toUpperCase();
}
