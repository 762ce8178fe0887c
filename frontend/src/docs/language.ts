/** The page in the language that was chosen before, where its address names none. */

import type { Lang } from "../language";

/** Its address; null where the page is in that language, or its own address says which. */
export function preferredAddress(here: URL, shown: string, wanted: Lang): string | null {
  if (here.searchParams.has("lang") || shown === wanted) return null;
  const there = new URL(here);
  there.searchParams.set("lang", wanted);
  return there.href;
}
