/** Finds Kafka terms in texts by the catalogue's words, with their meanings. */

import { fill, type Lang } from "../language";
import { textsIn, type Catalogue } from "./catalogue";

/** Finds terms in texts of one language. */
export interface Glossary {
  /** Every word of every term, the longest first. */
  readonly pattern: RegExp;
  /** Word in the catalogue → the meaning of its term. */
  readonly meanings: ReadonlyMap<string, string>;
}

/** A part of a text; `meaning` is null if it is not a term, or was explained before. */
export interface TermPiece {
  readonly text: string;
  readonly meaning: string | null;
}

const made = new WeakMap<Catalogue, Map<Lang, Glossary | null>>();

/** The terms of a language, computed once; null if the catalogue has none. */
export function glossaryOf(catalogue: Catalogue, lang: Lang): Glossary | null {
  const known = made.get(catalogue) ?? new Map<Lang, Glossary | null>();
  made.set(catalogue, known);
  let glossary = known.get(lang);
  if (glossary === undefined) known.set(lang, (glossary = makeGlossary(catalogue, lang)));
  return glossary;
}

function makeGlossary(catalogue: Catalogue, lang: Lang): Glossary | null {
  const { terms, term_words: written } = textsIn(catalogue, lang);
  const said = (pattern: Parameters<typeof fill>[0] | undefined) =>
    pattern === undefined ? "" : fill(pattern, {}, { plurals: {} });
  const meanings = new Map(
    Object.entries(written).flatMap(([id, words]) =>
      said(words)
        .split("|")
        .map((word) => [word, said(terms[id])] as const),
    ),
  );
  return glossaryWith(meanings);
}

/** A glossary of words with the meanings of their terms; null without words. */
export function glossaryWith(meanings: ReadonlyMap<string, string>): Glossary | null {
  const words = [...meanings.keys()]
    .filter((word) => word !== "")
    .sort((a, b) => b.length - a.length);
  return words.length === 0
    ? null
    : { pattern: new RegExp(words.map(alternative).join("|"), "g"), meanings };
}

/**
 * Matches a whole word, not part of a longer word or of a setting's name, also at the start of a
 * sentence.
 */
function alternative(word: string): string {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const either = /^[a-z]/.test(word)
    ? `[${word.charAt(0)}${word.charAt(0).toUpperCase()}]${escaped.slice(1)}`
    : escaped;
  const before = /^[A-Za-z0-9]/.test(word) ? "(?<![A-Za-z0-9_.-])" : "";
  const after = /[A-Za-z0-9]$/.test(word) ? "(?![A-Za-z0-9_-]|\\.[a-z])" : "";
  return `${before}${either}${after}`;
}

/** A client is named after its kind, in every language. */
const CLIENT = /\b(?:consumer|producer) $/i;

/** What the terms of a text mean. */
export function meaningsIn(glossary: Glossary | null, text: string): string[] {
  return termPieces(glossary, text).flatMap(({ meaning }) => meaning ?? []);
}

/** A part of a text; `introduces` explains a new word. */
export interface IntroducingPiece extends TermPiece {
  readonly introduces: string | null;
}

/** The pieces of texts that introduce words: each new word once, and the other terms. */
export function introducingPieces(
  newWords: Glossary | null,
  glossary: Glossary | null,
  texts: readonly string[],
): IntroducingPiece[][] {
  const explained = new Set<string>();
  return texts.map((text) =>
    termPieces(newWords, text, explained).flatMap(
      ({ text, meaning: introduces }): IntroducingPiece[] => {
        if (introduces !== null) {
          for (const meaning of meaningsIn(glossary, text)) explained.add(meaning);
          return [{ text, meaning: null, introduces }];
        }
        return termPieces(glossary, text, explained).map((piece) => ({ ...piece, introduces }));
      },
    ),
  );
}

/** The pieces of several texts that are read together: a term is explained in the first that has it. */
export function termPiecesOf(glossary: Glossary | null, texts: readonly string[]): TermPiece[][] {
  const explained = new Set<string>();
  return texts.map((text) => termPieces(glossary, text, explained));
}

/**
 * Splits a text at the first occurrence of each term; `explained` collects the terms found. A client
 * whose name is a term is not one.
 */
export function termPieces(
  glossary: Glossary | null,
  text: string,
  explained: Set<string> = new Set(),
  clients: ReadonlySet<string> = new Set(),
): TermPiece[] {
  if (glossary === null) return [{ text, meaning: null }];
  const pieces: TermPiece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(glossary.pattern)) {
    const meaning =
      glossary.meanings.get(word) ??
      glossary.meanings.get(word.charAt(0).toLowerCase() + word.slice(1));
    if (meaning === undefined || explained.has(meaning)) continue;
    if (clients.has(word) && CLIENT.test(text.slice(0, index))) continue;
    explained.add(meaning);
    if (index > end) pieces.push({ text: text.slice(end, index), meaning: null });
    pieces.push({ text: word, meaning });
    end = index + word.length;
  }
  if (end < text.length || pieces.length === 0)
    pieces.push({ text: text.slice(end), meaning: null });
  return pieces;
}
