/** The texts of the forms for steps and settings. */

import { isWord, say } from "languages:actions";

import type { Filling, Lang } from "../language";

/** The first of these texts that exists; null if none does. */
export function sayFirst(
  lang: Lang,
  names: readonly string[],
  filling: Filling = {},
): string | null {
  const found = names.find(isWord);
  return found === undefined ? null : say(lang, found, filling);
}
