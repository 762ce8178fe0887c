/**
 * The names of steps outside of a run. A step that this version has no text for, as a share of
 * another version may contain, is shown by its identifier.
 */

import texts, { say } from "languages:steps";

import { messageOf, type Filling, type Lang } from "../language";

function named(
  step: string,
  form: "name" | "row" | "bar" | "fault" | "budget",
  lang: Lang,
  filling: Filling = {},
): string {
  const name = `${step}.${form}`;
  return messageOf(texts, lang, name) === undefined
    ? step.replaceAll("_", " ")
    : say(lang, name, filling);
}

/** In a list of steps: "Crash a broker". */
export function stepName(step: string, lang: Lang): string {
  return named(step, "name", lang);
}

/** In the bar of actions on what it is about: "Crash". */
export function barName(step: string, lang: Lang): string {
  return named(step, messageOf(texts, lang, `${step}.row`) === undefined ? "bar" : "row", lang);
}

/** One fault, within a sentence: "a crash". */
export function faultName(step: string, lang: Lang): string {
  return named(step, "fault", lang);
}

const SEVERAL = 2;

/** What a search may try so many times: "broker crash", and "broker crashes" for several. */
export function budgetName(step: string, lang: Lang, count = SEVERAL): string {
  return named(step, "budget", lang, { count });
}

/**
 * What a search tries, as in its budget; what no budget limits has the name of its step. Null if it
 * is no step.
 */
export function searchedName(step: string, lang: Lang): string | null {
  if (messageOf(texts, lang, `${step}.budget`) !== undefined) return budgetName(step, lang);
  return messageOf(texts, lang, `${step}.name`) === undefined ? null : stepName(step, lang);
}
