/** What opens the search of the site: the root provides it, and any component may offer it. */

import { getContext, setContext } from "svelte";

const OPENER = Symbol("search");

export type OpenSearch = () => void;

export function provideSearch(open: OpenSearch): void {
  setContext(OPENER, open);
}

/** Null where the root has no search, such as in an embed. */
export function useSearch(): OpenSearch | null {
  return getContext<OpenSearch | undefined>(OPENER) ?? null;
}
