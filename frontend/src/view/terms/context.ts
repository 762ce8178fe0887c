/** The glossary for a page's texts; figures and embeds have none. The stage explains what it draws by the catalogue. */

import { getContext, setContext } from "svelte";

import type { Glossary } from "../../trace";

/** Its key in the context of a component. */
export const GLOSSARY = Symbol("glossary");

export function provideGlossary(glossary: () => Glossary | null): void {
  setContext(GLOSSARY, glossary);
}

export function useGlossary(): () => Glossary | null {
  return getContext<(() => Glossary | null) | undefined>(GLOSSARY) ?? (() => null);
}
