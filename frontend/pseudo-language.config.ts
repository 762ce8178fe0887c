/** A language that tests add to the folders: English with accents on all letters, so that it can be distinguished. */

import { readLanguage, readRoom, type Added, type PatternData } from "./languages.config.ts";

export const PSEUDO = "qps";

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTED = [..."áƀçđéƒğĥíĵķļɱñóþǫŕšţúṽŵẋýžÂƁÇĐÉƑĜĤÎĴĶĻṀŃÓÞǪŔŠŢÛṼŴẊÝŽ"];

export function accented(text: string): string {
  return [...text].map((letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter).join("");
}

/** A pattern with accented texts and unchanged placeholders. */
export function accentedPattern(pattern: PatternData): PatternData {
  if (typeof pattern === "string") return accented(pattern);
  return pattern.map((part) => {
    if (typeof part === "string") return accented(part);
    if ("value" in part) return part;
    return {
      ...part,
      variants: Object.fromEntries(
        Object.entries(part.variants).map(([key, variant]) => [key, accentedPattern(variant)]),
      ),
    };
  });
}

export function pseudoLanguage(): Added {
  const english = readLanguage("en");
  return {
    language: {
      ...english,
      tag: PSEUDO,
      name: accented(english.name),
      short: accented(english.short),
    },
    room: (room) =>
      Object.fromEntries(
        Object.entries(readRoom("en", room)).map(([name, pattern]) => [
          name,
          accentedPattern(pattern),
        ]),
      ),
  };
}
