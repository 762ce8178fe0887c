/** What steps are called outside of a run. One that has no words, of an older share, is called by its name. */

import texts from "languages:steps";

import { DEFAULT_LANGUAGE, messageOf, sayer, type Lang } from "../language";

const say = sayer(texts);

function named(step: string, form: "name" | "row" | "fault" | "budget", lang: Lang): string {
  const name = `${step}.${form}`;
  return messageOf(texts, lang, name) === undefined ? step.replaceAll("_", " ") : say(lang, name);
}

/** In a list of steps: "Crash a broker". */
export function stepName(step: string, lang: Lang): string {
  return named(step, "name", lang);
}

/** Whether a step has a short name for the row of a broker. */
export function hasRowName(step: string): boolean {
  return messageOf(texts, DEFAULT_LANGUAGE, `${step}.row`) !== undefined;
}

/** On the row of the broker that it is done to: "Crash". */
export function rowName(step: string, lang: Lang): string {
  return named(step, "row", lang);
}

/** One fault, within a sentence: "a crash". */
export function faultName(step: string, lang: Lang): string {
  return named(step, "fault", lang);
}

/** What a search may try several times: "broker crashes". */
export function budgetName(step: string, lang: Lang): string {
  return named(step, "budget", lang);
}
