/** Looks up the texts of a part of the interface. */

import { DEFAULT_LANGUAGE, languageOf, type Lang } from "./languages";
import { fill, type Filling, type Pattern } from "./pattern";

/** The messages of a part by language, from its module `languages:<room>`. */
export type Texts<Name extends string> = Readonly<Record<Lang, Readonly<Record<Name, Pattern>>>>;

/** A message in a language; undefined if there is none with this name. */
export function messageOf(texts: Texts<string>, lang: Lang, name: string): Pattern | undefined {
  return (texts[lang] ?? texts[DEFAULT_LANGUAGE])?.[name];
}

export type Say<Name extends string> = (lang: Lang, name: Name, filling?: Filling) => string;

/** The lookup of one part; the type checker verifies the names at each use. */
export function sayer<Name extends string>(texts: Texts<Name>): Say<Name> {
  return (lang, name, filling = {}) => {
    const text = messageOf(texts, lang, name);
    if (text === undefined) throw new Error(`no text is called ${name}`);
    return fill(text, filling, languageOf(lang));
  };
}

/** Whether a part has a text with this name. */
export function wordsOf<Name extends string>(texts: Texts<Name>): (name: string) => name is Name {
  return (name): name is Name => name in (texts[DEFAULT_LANGUAGE] ?? {});
}
