/** The scope of a search in words: the names of what it tried, and of what it left out by reason. */

import { isWord, say } from "languages:actions";

import type { Lang } from "../language";
import { searchedName } from "../messages/steps";
import type { SearchResult } from "../service/search";

type Scope = SearchResult["scope"];
export type LeftOutReason = Scope["left_out"][number]["reason"];

/** The name of a step, of a kind of timer, or of an entry of the budget. */
export function scopeName(name: string, lang: Lang): string {
  const timer = `choice-${name}`;
  return searchedName(name, lang) ?? (isWord(timer) ? say(lang, timer) : name);
}

/** In the order of the scope. */
export function leftOutByReason(
  scope: Scope,
): readonly (readonly [LeftOutReason, readonly string[]])[] {
  const names = new Map<LeftOutReason, string[]>();
  for (const { step, reason } of scope.left_out)
    names.set(reason, [...(names.get(reason) ?? []), step]);
  return [...names];
}
