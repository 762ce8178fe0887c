/** The glossary for a page's texts; figures and embeds have none. */

import { getContext, setContext } from "svelte";

import type { Glossary } from "../../trace";

const KEY = Symbol("glossary");

export function provideGlossary(glossary: () => Glossary | null): void {
  setContext(KEY, glossary);
}

export function useGlossary(): () => Glossary | null {
  return getContext<(() => Glossary | null) | undefined>(KEY) ?? (() => null);
}
