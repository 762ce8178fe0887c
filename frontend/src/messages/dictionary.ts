/** Looking up a text of the interface in the reader's language. */

import type { Bilingual, Lang } from "../trace";

/** Texts by name, in both languages: a name without one of them is no dictionary. */
export type Dictionary = Readonly<Record<string, Bilingual>>;

export type Filling = Readonly<Record<string, string | number>>;

/**
 * Puts what is given in the place of `{name}`; a name that is not given stays as it stands.
 * `{count:step|steps}` is the number and the form of the word that goes with it: "1 step", "2 steps".
 */
export function fillIn(template: string, filling: Filling): string {
  return template.replace(/\{([a-z]+)(?::([^{}|]+)\|([^{}|]+))?\}/g, (whole, name: string, one: string | undefined, many: string | undefined) => {
    const value = filling[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return String(value);
    return `${String(value)} ${String(value) === "1" ? one : many}`;
  });
}

/** The lookup of one dictionary: its names are checked where they are used. */
export function sayer<D extends Dictionary>(dictionary: D): (lang: Lang, name: keyof D & string, filling?: Filling) => string {
  return (lang, name, filling = {}) => {
    const text: Bilingual | undefined = dictionary[name];
    if (text === undefined) throw new Error(`no text is called ${name}`);
    return fillIn(text[lang], filling);
  };
}
