/** The page in the stored language, if its address names none. */

import { pathOf, to } from "../addresses";
import { DEFAULT_LANGUAGE, type Lang } from "../language";

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

/** In a copy of the site, a file for each language: that in the stored language, as above. */
export function otherFile(wanted: Lang): string | null {
  const { lang } = document.documentElement;
  const here = new URL(location.href);
  // The folder of another language names it.
  if (here.searchParams.has("lang") || lang !== DEFAULT_LANGUAGE || wanted === lang) return null;
  const path = pathOf(here)?.replace(/\/$/, "") ?? null;
  return path === null ? null : new URL(to(`${path}?lang=${wanted}${here.hash}`), here).href;
}
