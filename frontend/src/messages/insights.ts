/** What the insights page says. */

import texts from "languages:insights";

import { sayer, type Lang } from "../language";

export const say = sayer(texts);
export type InsightsWord = Parameters<typeof say>[1];

/** Faults as the summary names them; one that has no words is said by its name. */
export function faultName(fault: string, lang: Lang): string {
  const name = `fault-${fault}`;
  return name in (texts.en ?? {}) ? say(lang, name as InsightsWord) : fault.replaceAll("_", " ");
}
