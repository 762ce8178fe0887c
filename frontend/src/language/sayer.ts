/** Looking up what a room of the interface says. */

import { DEFAULT_LANGUAGE, languageOf, type Lang } from "./languages";
import { fill, type Filling, type Pattern } from "./pattern";

/** A room's messages by language, as its module `languages:<room>` holds them. */
export type Texts<Name extends string> = Readonly<Record<Lang, Readonly<Record<Name, Pattern>>>>;

/** A room's message in a language, undefined where it has none of that name. */
export function messageOf(texts: Texts<string>, lang: Lang, name: string): Pattern | undefined {
  return (texts[lang] ?? texts[DEFAULT_LANGUAGE])?.[name];
}

/** The lookup of one room: its names are checked where they are used. */
export function sayer<Name extends string>(texts: Texts<Name>): (lang: Lang, name: Name, filling?: Filling) => string {
  return (lang, name, filling = {}) => {
    const text = messageOf(texts, lang, name);
    if (text === undefined) throw new Error(`no text is called ${name}`);
    return fill(text, filling, languageOf(lang));
  };
}
