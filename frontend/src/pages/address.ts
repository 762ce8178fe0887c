/** What the query of a page's address asks for, and which clicks lead to a page. */

import { lessonAddress, lessonIn } from "../run/address";
import type { EditedBranch } from "../service/api";

const WHOLE = /^\d{1,6}$/;

/** The step of a lesson's story: `?step=`. */
export function stepOf(search: URLSearchParams): number | null {
  return wholeIn(search, "step");
}

/** The number of a message in that step, from 1: `?message=`. */
export function messageOf(search: URLSearchParams): number | null {
  return wholeIn(search, "message");
}

/** The frame of a run: `?frame=`. */
export function frameOf(search: URLSearchParams): number | null {
  return wholeIn(search, "frame");
}

function wholeIn(search: URLSearchParams, name: string): number | null {
  const written = search.get(name) ?? "";
  return WHOLE.test(written) ? Number(written) : null;
}

/** `?from=SESSION&at=FRAME`, or `?lesson=ID&kafka=V&at=FRAME`. */
export function branchOf(search: URLSearchParams): EditedBranch | null {
  const [session, lesson, kafka] = ["from", "lesson", "kafka"].map((name) => search.get(name));
  const at = wholeIn(search, "at");
  if (at === null) return null;
  if (session) return { session, at };
  return lesson && kafka ? { lesson, kafka, at } : null;
}

/** The lesson in which the run at this address began; null if the address does not name it. */
export function lessonOf({ searchParams }: URL): { address: string; step: number } | null {
  const place = lessonIn(searchParams);
  return place === null ? null : { address: lessonAddress(place), step: place.step };
}

/** The same address in another language, if it names one. */
export function withLang(here: URL, lang: string): URL {
  const url = new URL(here);
  if (url.searchParams.has("lang")) url.searchParams.set("lang", lang);
  return url;
}

/** The address of a link that a plain click follows within this site; null for any other click. */
export function clickedLink(event: MouseEvent, here: URL): URL | null {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || isModified) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const href = link?.getAttribute("href");
  if (!link || !href || leavesPage(link)) return null;
  const url = new URL(href, here);
  // The browser handles links within the page.
  const isWithin = url.hash !== "" && url.pathname === here.pathname;
  return url.origin !== here.origin || isWithin ? null : url;
}

/** Whether a link is for a file, or for another tab or frame. */
function leavesPage(link: HTMLAnchorElement): boolean {
  return link.hasAttribute("download") || (link.getAttribute("target") ?? "_self") !== "_self";
}
