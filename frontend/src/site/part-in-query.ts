import { tick } from "svelte";

/**
 * Names the part of a page that its fragment shows also in the query, where the service reads it for
 * the link's card: a fragment is not sent. A link with the query alone shows that part.
 *
 * To be called when the page is mounted, with the part of the fragment before the value; returns
 * what ends it.
 */
export function partInQuery(parameter: string, before = ""): () => void {
  const name = (): void => {
    const shown = decodeURIComponent(location.hash.slice(1));
    if (!shown.startsWith(before)) return;
    const url = new URL(location.href);
    if (shown === "") url.searchParams.delete(parameter);
    else url.searchParams.set(parameter, shown.slice(before.length));
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  };
  const asked = new URLSearchParams(location.search).get(parameter);
  // The page may not be in the document yet.
  void tick().then(() => {
    if (asked !== null && location.hash === "" && document.getElementById(before + asked) !== null)
      location.replace(`#${encodeURIComponent(before + asked)}`);
  });
  name();
  window.addEventListener("hashchange", name);
  return () => window.removeEventListener("hashchange", name);
}
