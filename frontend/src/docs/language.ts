/** The page in the stored language, if its address names none. */

import type { Lang } from "../language";

/**
 * The address to redirect to; null if the page is already in that language, or if its address names
 * a language.
 */
export function preferredAddress(here: URL, shown: string, wanted: Lang): string | null {
  if (here.searchParams.has("lang") || shown === wanted) return null;
  const there = new URL(here);
  there.searchParams.set("lang", wanted);
  return there.href;
}
