/** Which languages there are, and which one is spoken to somebody. */

import list from "languages:list";

/** The tag of a language: the name of its folder. */
export type Lang = string;

/** An author's words by language; there may be languages that they do not have. */
export type Translated = Readonly<Record<Lang, string>>;

export interface Language {
  readonly tag: Lang;
  /** What the language calls itself. */
  readonly name: string;
  /** The same in two letters or signs. */
  readonly short: string;
  /** The tag by which a browser writes its dates and numbers. */
  readonly formats: string;
  /** CLDR's rule by plural category. */
  readonly plurals: Readonly<Record<string, string>>;
}

export const DEFAULT_LANGUAGE: Lang = "en";

/** The default first. */
export const LANGUAGES: readonly Language[] = list;

const BY_TAG: ReadonlyMap<Lang, Language> = new Map(LANGUAGES.map((language) => [language.tag, language]));

export function languageOf(lang: Lang): Language {
  const found = BY_TAG.get(lang) ?? BY_TAG.get(DEFAULT_LANGUAGE);
  if (found === undefined) throw new Error("there is no folder of the default language");
  return found;
}

/** The language for tags that somebody prefers, the most wanted first: "zh-CN" is said in "zh". */
export function languageCalled(asked: readonly (string | null | undefined)[]): Lang {
  const tags = new Map(LANGUAGES.map(({ tag }) => [tag.toLowerCase(), tag]));
  for (const tag of asked) {
    const parts = (tag ?? "").trim().toLowerCase().split(/[-_]/);
    for (let length = parts.length; length > 0; length -= 1) {
      const lang = tags.get(parts.slice(0, length).join("-"));
      if (lang !== undefined) return lang;
    }
  }
  return DEFAULT_LANGUAGE;
}

/** The language after this one; after the last, the first. */
export function nextLanguage(lang: Lang): Language {
  const place = LANGUAGES.findIndex(({ tag }) => tag === lang);
  return LANGUAGES[(place + 1) % LANGUAGES.length] ?? languageOf(lang);
}

/** An author's words in a language, else in the default one, else in any that they have. */
export function inLanguage(words: Translated | string, lang: Lang): string {
  if (typeof words === "string") return words;
  return words[lang] ?? words[DEFAULT_LANGUAGE] ?? Object.values(words)[0] ?? "";
}
