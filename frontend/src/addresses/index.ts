/**
 * The addresses of this site. The service serves it at the root of a host. A copy without a service
 * (`highwater site`) may lie below any path: each of its pages states where the root is.
 */

import { DEFAULT_LANGUAGE, LANGUAGES } from "../language";

const API = "/api/v1";
/** What a copy has a file of for each language: a page of the documentation, and a picture. */
const IN_LANGUAGES = /^\/docs(?![^/?#])|^[^?#]*\.(?:svg|png)(?![^?#])/;

/** A run of the reader. A copy has one page for them all, which names the run in its query. */
const RUN = /^\/x\/([^/?#]+)(?:\?(.*))?$/;

function stated(name: string): string | null {
  // The drawing code also runs where there is no document.
  if (typeof document === "undefined") return null;
  return document.querySelector<HTMLMetaElement>(`meta[name="highwater-${name}"]`)?.content ?? null;
}

const root = stated("static");
/** What every path of this site begins with; empty at the root of a host. */
const base = root === null ? "" : new URL(root, location.href).pathname.replace(/\/$/, "");

/** The paths that files answer, in which `*` is a name, with the parameters of their queries. */
const FILES = (stated("files") ?? "")
  .split(" ")
  .filter((file) => file !== "")
  .map((file) => {
    const [path = "", names = ""] = file.split("?");
    return { path: new RegExp(`^${path.replaceAll("*", "[^/]+")}$`), names };
  });

/** Whether this page is part of a copy without a service. */
export const isStatic = root !== null;

/** The address of a path within this site, which begins with "/". Every link goes through it. */
export function to(path: string): string {
  if (!isStatic) return path;
  const [, run, query] = RUN.exec(path) ?? [];
  if (run !== undefined) return `${base}/x?run=${run}${query === undefined ? "" : `&${query}`}`;
  return base + (IN_LANGUAGES.test(path) ? fileAt(path) : path);
}

/** The file that a copy has instead: `backend/static_site/addresses.py` names it. */
function fileAt(path: string): string {
  const { pathname, searchParams, hash } = new URL(path, location.origin);
  const lang = LANGUAGES.find(({ tag }) => tag === searchParams.get("lang"))?.tag;
  const folder = lang === undefined || lang === DEFAULT_LANGUAGE ? "" : `/${lang}`;
  const look = searchParams.get("theme") === "dark" ? "~theme=dark" : "";
  const file = pathname.replace(/(?=\.(?:svg|png)$)/, look);
  // A page that names no language follows the reader's choice.
  const query = lang === DEFAULT_LANGUAGE && !file.includes(".") ? `?lang=${lang}` : "";
  return `${folder}${file}${query}${hash}`;
}

/** The path within this site that an address has; null if it is outside. */
export function pathOf({ pathname, search }: URL | Location): string | null {
  if (pathname === base) return "/";
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : null;
  const run = isStatic && path === "/x" ? new URLSearchParams(search).get("run") : null;
  return run === null ? path : `/x/${encodeURIComponent(run)}`;
}

/**
 * Gives the page the address that it has in the service: a copy's file lies in a folder, and a file
 * with the link card of another language in that of the language.
 */
export function settleAddress(): void {
  if (!isStatic) return;
  // They are relative to the address of the file.
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=icon]"))
    link.href = new URL(link.href).href;
  const here = new URL(location.href);
  const named = stated("address");
  const url = named === null ? new URL(here) : new URL(to(named), here);
  if (named !== null) {
    for (const [name, value] of here.searchParams) url.searchParams.set(name, value);
    url.hash = here.hash;
  } else if (pathOf(here) !== "/") url.pathname = here.pathname.replace(/\/$/, "");
  if (url.href !== here.href) history.replaceState(history.state, "", url);
}

/**
 * In a copy without a service, the address of the file that answers a GET of this path below
 * `/api/v1`; null if no file does. The page lists them as the service declares them.
 */
export function fileOf(asked: string): string | null {
  const [path = "", query = ""] = asked.split("?");
  const values = [...new URLSearchParams(query)].sort(([one], [other]) => (one < other ? -1 : 1));
  const names = values.map(([name]) => name).join("&");
  if (!FILES.some((file) => file.path.test(path) && file.names === names)) return null;
  const told = values.map(([name, value]) => `${name}=${value}`).join(",");
  return `${base}${API}${path}${told === "" ? "" : `~${told}`}.json.gz`;
}

/** The response with such a file, decompressed. A server may have done that already. */
export async function plainResponse(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isZipped
    ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
    : bytes;
  return new Response(plain);
}
