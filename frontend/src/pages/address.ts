/** What the query of a page's address asks for, and which clicks lead to a page. */

const WHOLE = /^\d{1,6}$/;

/** The step of a lesson's story: `?step=`. */
export function stepOf(search: URLSearchParams): number | null {
  return wholeIn(search, "step");
}

/** The frame of a run: `?frame=`. */
export function frameOf(search: URLSearchParams): number | null {
  return wholeIn(search, "frame");
}

function wholeIn(search: URLSearchParams, name: string): number | null {
  const written = search.get(name) ?? "";
  return WHOLE.test(written) ? Number(written) : null;
}

/** The branch of a run to edit: `?from=SESSION&at=FRAME`. */
export function branchOf(search: URLSearchParams): { session: string; at: number } | null {
  const session = search.get("from");
  const at = wholeIn(search, "at");
  return session === null || at === null ? null : { session, at };
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
