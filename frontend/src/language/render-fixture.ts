/** For tests: Testing Library's `render`, for components of a page in one language. */

import { render as renderAlone } from "@testing-library/svelte";

import { languageContext } from "./context";
import { DEFAULT_LANGUAGE, type Lang } from "./languages";

export function renderIn(lang: Lang): typeof renderAlone {
  return (component, options, more) => {
    const given = options as { readonly context?: Map<unknown, unknown> } | undefined;
    const context = new Map([...languageContext(lang), ...(given?.context ?? [])]);
    return renderAlone(component, { ...options, context } as typeof options, more);
  };
}

export const render = renderIn(DEFAULT_LANGUAGE);
