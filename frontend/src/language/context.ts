/** The language of a page's components: its root provides it, and every component below it uses it. */

import { getContext, setContext } from "svelte";

import type { Lang } from "./languages";
import type { Filling } from "./pattern";
import type { Say } from "./sayer";

const LANGUAGE = Symbol("language");

/** Sets the language of the calling component and of everything inside it. */
export function provideLanguage(lang: () => Lang): void {
  setContext(LANGUAGE, lang);
}

/** The context of a component that is mounted or drawn on its own. */
export function languageContext(lang: Lang): Map<unknown, unknown> {
  return new Map([[LANGUAGE, () => lang]]);
}

/** The current language: `const lang = $derived.by(useLanguage())`. */
export function useLanguage(): () => Lang {
  const lang = getContext<(() => Lang) | undefined>(LANGUAGE);
  if (lang === undefined) throw new Error("the root of this component provides no language");
  return lang;
}

/** The lookup of one part in the current language. */
export type SayHere<Name extends string> = (name: Name, filling?: Filling) => string;

/** Makes a part's `useSay`, which components call once: `const say = useSay()`. */
export function inContext<Name extends string>(say: Say<Name>): () => SayHere<Name> {
  return () => {
    const lang = useLanguage();
    return (name, filling) => say(lang(), name, filling);
  };
}
