/** The available languages, and the choice of one for a reader. */

import list from "languages:list";

/** The tag of a language: the name of its folder. */
export type Lang = string;

/** An author's text by language; some languages may be missing. */
export type Translated = Readonly<Record<Lang, string>>;

export interface Language {
  readonly tag: Lang;
  /** The language's name in itself. */
  readonly name: string;
  /** Its short name, in two letters or characters. */
  readonly short: string;
  /** The tag for formatting dates and numbers in a browser. */
  readonly formats: string;
  /** CLDR's rule by plural category. */
  readonly plurals: Readonly<Record<string, string>>;
  /** What stands between the elements of a list in a sentence. */
  readonly separator: string;
}

export const DEFAULT_LANGUAGE: Lang = "en";

/** The default first. */
export const LANGUAGES: readonly Language[] = list;

const BY_TAG: ReadonlyMap<Lang, Language> = new Map(
  LANGUAGES.map((language) => [language.tag, language]),
);

export function languageOf(lang: Lang): Language {
  const found = BY_TAG.get(lang) ?? BY_TAG.get(DEFAULT_LANGUAGE);
  if (found === undefined) throw new Error("there is no folder of the default language");
  return found;
}

/** Names in a sentence, all of them. */
export function listed(lang: Lang, names: readonly (number | string)[]): string {
  return names.join(languageOf(lang).separator);
}

/** The best available language for a list of preferred tags: "pt-BR" gives "pt". */
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

/** The language in which an author's text is shown and edited. */
export function languageIn(words: object, lang: Lang): Lang {
  return [lang, ...LANGUAGES.map(({ tag }) => tag)].find((tag) => tag in words) ?? lang;
}

/**
 * An author's text in a language; otherwise in the default language; otherwise in any that it has.
 */
export function inLanguage(words: Translated | string, lang: Lang): string {
  if (typeof words === "string") return words;
  return words[lang] ?? words[DEFAULT_LANGUAGE] ?? Object.values(words)[0] ?? "";
}
