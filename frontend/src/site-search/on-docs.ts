/**
 * The search on the documentation's pages, whose script loads this module when somebody searches:
 * see `docs/controls.ts`.
 */

import { mount } from "svelte";

import { languageContext } from "../language/context";
import SiteSearch from "./SiteSearch.svelte";

const search = mount(SiteSearch, {
  target: document.body,
  context: languageContext(document.documentElement.lang),
});

/** Opens the search with what was typed already. Also its key works from now on. */
export function open(before: string): void {
  void search.open(before);
}
