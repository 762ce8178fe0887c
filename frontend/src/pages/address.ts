/** Converts addresses to pages and pages to addresses. */

import { isFullStateLink } from "../service/full-state-link";

export type Place =
  | { readonly page: "home"; readonly search: string }
  | { readonly page: "link"; readonly fragment: string }
  | { readonly page: "insights" }
  | { readonly page: "glossary" }
  | { readonly page: "gallery" }
  | {
      readonly page: "new";
      readonly from: { readonly session: string; readonly at: number } | null;
    }
  | { readonly page: "articles" }
  | { readonly page: "challenges" }
  | { readonly page: "fidelity" }
  | { readonly page: "challenge"; readonly challenge: string }
  | { readonly page: "article"; readonly number: number }
  | {
      readonly page: "lesson";
      readonly scenario: string;
      readonly kafka: string | null;
      readonly step: number | null;
      readonly plays: boolean;
    }
  | { readonly page: "session"; readonly session: string; readonly frame: number | null }
  | { readonly page: "recording"; readonly name: string; readonly frame: number | null }
  | { readonly page: "share"; readonly sid: string; readonly frame: number | null }
  | { readonly page: "presentation"; readonly code: string }
  | { readonly page: "unknown" };

const WHOLE = /^\d{1,6}$/;

/** The step of a lesson's story: `?step=`. */
function stepOf(search: URLSearchParams): number | null {
  return wholeIn(search, "step");
}

/** The frame of a run: `?frame=`. */
function frameOf(search: URLSearchParams): number | null {
  return wholeIn(search, "frame");
}

function wholeIn(search: URLSearchParams, name: string): number | null {
  const written = search.get(name) ?? "";
  return WHOLE.test(written) ? Number(written) : null;
}

/** The branch of a run to edit: `?from=SESSION&at=FRAME`. */
function branchOf(search: URLSearchParams): { session: string; at: number } | null {
  const session = search.get("from");
  const at = search.get("at") ?? "";
  return session === null || !WHOLE.test(at) ? null : { session, at: Number(at) };
}

export function placeOf(url: URL): Place {
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const [room, name] = parts;
  if (room === undefined && isFullStateLink(url.hash)) return { page: "link", fragment: url.hash };
  if (room === undefined) return { page: "home", search: url.search };
  if (parts.length === 1 && room === "new") return { page: room, from: branchOf(url.searchParams) };
  if (
    parts.length === 1 &&
    (room === "insights" ||
      room === "glossary" ||
      room === "gallery" ||
      room === "articles" ||
      room === "challenges" ||
      room === "fidelity")
  )
    return { page: room };
  if (parts.length === 2 && name !== undefined) {
    if (room === "lessons")
      return {
        page: "lesson",
        scenario: decoded(name),
        kafka: url.searchParams.get("kafka"),
        step: stepOf(url.searchParams),
        plays: url.searchParams.has("play"),
      };
    if (room === "articles" && /^\d{1,3}$/.test(name))
      return { page: "article", number: Number(name) };
    if (room === "challenges") return { page: "challenge", challenge: decoded(name) };
    if (room === "x")
      return { page: "session", session: decoded(name), frame: frameOf(url.searchParams) };
    if (room === "recordings")
      return { page: "recording", name: decoded(name), frame: frameOf(url.searchParams) };
    if (room === "p") return { page: "presentation", code: decoded(name).toLowerCase() };
    if (room === "s")
      return { page: "share", sid: decoded(name), frame: frameOf(url.searchParams) };
  }
  return { page: "unknown" };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether the application handles a click on a link: a plain click, to one of its own pages. */
export function followed(event: MouseEvent, here: URL): URL | null {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const href = link?.getAttribute("href");
  if (
    !link ||
    !href ||
    link.hasAttribute("download") ||
    (link.getAttribute("target") ?? "_self") !== "_self"
  )
    return null;
  const url = new URL(href, here);
  if (url.origin !== here.origin || !isPage(url)) return null;
  // The browser handles links within the page.
  return url.hash !== "" && url.pathname === here.pathname ? null : url;
}

/**
 * Whether an address is a page. `/s/….svg` and similar addresses are files, but names of recordings
 * contain dots too.
 */
function isPage(url: URL): boolean {
  const { page } = placeOf(url);
  return page !== "unknown" && (page === "recording" || !url.pathname.includes("."));
}
