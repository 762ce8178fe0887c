/** What faults are called. One that has no words, of an older share, is called by its name. */

import texts from "languages:faults";

import { messageOf, sayer, type Lang } from "../language";

const say = sayer(texts);

function named(fault: string, form: "fault" | "budget", lang: Lang): string {
  const name = `${fault}.${form}`;
  return messageOf(texts, lang, name) === undefined ? fault.replaceAll("_", " ") : say(lang, name);
}

/** One fault, within a sentence: "a crash". */
export function faultName(fault: string, lang: Lang): string {
  return named(fault, "fault", lang);
}

/** What a search may try several times: "broker crashes". */
export function budgetName(fault: string, lang: Lang): string {
  return named(fault, "budget", lang);
}
