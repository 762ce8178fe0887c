/** The texts of the forms for steps and settings. */

import texts from "languages:actions";

import { messageOf, sayer, type Filling, type Lang } from "../language";

export const say = sayer(texts);
type Word = Parameters<typeof say>[1];

/** The first of these texts that exists; null if none does. */
export function sayFirst(lang: Lang, names: readonly string[], filling: Filling = {}): string | null {
  const found = names.find((name) => messageOf(texts, lang, name) !== undefined);
  return found === undefined ? null : say(lang, found as Word, filling);
}
