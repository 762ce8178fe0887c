/** Which terms of Kafka a text names, and what they mean: by the words that the catalogue has for each. */

import { fill, type Lang } from "../language";
import { textsIn, type Catalogue } from "./catalogue";

/** Finds terms in texts of one language. */
export interface Glossary {
  /** Every word of every term, the longest first. */
  readonly pattern: RegExp;
  /** What a word's term means, by the word as it is written in the catalogue. */
  readonly meanings: ReadonlyMap<string, string>;
}

/** A stretch of a text; `meaning` is null where it is no term, or one that was explained before. */
export interface TermPiece {
  readonly text: string;
  readonly meaning: string | null;
}

const made = new WeakMap<Catalogue, Map<Lang, Glossary | null>>();

/** The terms of a language; null where the catalogue has no words for any. It is made once. */
export function glossaryOf(catalogue: Catalogue, lang: Lang): Glossary | null {
  const known = made.get(catalogue) ?? new Map<Lang, Glossary | null>();
  made.set(catalogue, known);
  let glossary = known.get(lang);
  if (glossary === undefined) known.set(lang, (glossary = makeGlossary(catalogue, lang)));
  return glossary;
}

function makeGlossary(catalogue: Catalogue, lang: Lang): Glossary | null {
  const { terms, term_words: written } = textsIn(catalogue, lang);
  const said = (pattern: Parameters<typeof fill>[0] | undefined) => (pattern === undefined ? "" : fill(pattern, {}, { plurals: {} }));
  const meanings = new Map(
    Object.entries(written).flatMap(([id, words]) =>
      said(words)
        .split("|")
        .map((word) => [word, said(terms[id])] as const),
    ),
  );
  const words = [...meanings.keys()].filter((word) => word !== "").sort((a, b) => b.length - a.length);
  return words.length === 0 ? null : { pattern: new RegExp(words.map(alternative).join("|"), "g"), meanings };
}

/** A word by itself: no part of a longer one, nor of a setting's name; a sentence may begin with it. */
function alternative(word: string): string {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const either = /^[a-z]/.test(word) ? `[${word.charAt(0)}${word.charAt(0).toUpperCase()}]${escaped.slice(1)}` : escaped;
  const before = /^[A-Za-z0-9]/.test(word) ? "(?<![A-Za-z0-9_.-])" : "";
  const after = /[A-Za-z0-9]$/.test(word) ? "(?![A-Za-z0-9_-]|\\.[a-z])" : "";
  return `${before}${either}${after}`;
}

/** A text with its terms told apart, each where it is first named; `explained` remembers which were. */
export function termPieces(glossary: Glossary | null, text: string, explained: Set<string> = new Set()): TermPiece[] {
  if (glossary === null) return [{ text, meaning: null }];
  const pieces: TermPiece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(glossary.pattern)) {
    const meaning = glossary.meanings.get(word) ?? glossary.meanings.get(word.charAt(0).toLowerCase() + word.slice(1));
    if (meaning === undefined || explained.has(meaning)) continue;
    explained.add(meaning);
    if (index > end) pieces.push({ text: text.slice(end, index), meaning: null });
    pieces.push({ text: word, meaning });
    end = index + word.length;
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end), meaning: null });
  return pieces;
}
