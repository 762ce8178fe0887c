/**
 * Patterns and how they are filled. The engine fills them in the same way (`languages/formatter.py`).
 *
 * A value that has words of its own is said by them. A selection takes the variant whose key is the
 * value as text, `nothing` for what is shown as a dash; else a whole number, or a list by how many
 * elements it has, takes the variant of its plural category; else the default is taken.
 */

import { pluralCategory } from "./plurals";

export interface Place {
  readonly value: string;
}

export interface Selection {
  readonly select: string;
  readonly variants: Readonly<Record<string, Pattern>>;
  readonly default: string;
}

/** A string where nothing is put in, else the parts in their order. */
export type Pattern = string | readonly (string | Place | Selection)[];

export type Filling = Readonly<Record<string, unknown>>;

export interface Manner {
  /** CLDR's rule by plural category. */
  readonly plurals: Readonly<Record<string, string>>;
  /** Texts for values, by the number's name: a selection on `value`. */
  readonly words?: Readonly<Record<string, Pattern>> | undefined;
}

/** A piece of a sentence: text of the pattern, or a number or name that was put in. */
export interface Piece {
  readonly text: string;
  /** The place this piece stands for; null for the pattern's own words. */
  readonly name: string | null;
}

const NOTHING = "–";
const NOTHING_KEY = "nothing";
const MOST_SHOWN = 10;
const SHOWN_OF_MORE = 3;

/** How one value is written: lists joined by commas, long ones cut short, null and nothing as a dash. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  if (Array.isArray(value) && value.length > MOST_SHOWN) {
    return [...value.slice(0, SHOWN_OF_MORE).map(formatValue), `… ${formatValue(value[value.length - 1])}`].join(", ");
  }
  if (Array.isArray(value)) return value.map(formatValue).join(", ") || NOTHING;
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([key, inner]) => `${key}: ${formatValue(inner)}`);
    return entries.join(", ") || NOTHING;
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function variantOf(selection: Selection, value: unknown, { plurals }: Manner): Pattern {
  const text = formatValue(value);
  const exact = selection.variants[text === NOTHING ? NOTHING_KEY : text];
  if (exact !== undefined) return exact;
  const count = String(Array.isArray(value) ? value.length : value);
  const formed = /^-?\d+$/.test(count) ? selection.variants[pluralCategory(Number(count), plurals)] : undefined;
  return formed ?? selection.variants[selection.default] ?? "";
}

/** Fills a pattern and keeps what was put in apart from the words around it. */
export function pieces(pattern: Pattern, filling: Filling, manner: Manner): Piece[] {
  const found: Piece[] = [];
  const parts = typeof pattern !== "string" ? pattern : pattern === "" ? [] : [pattern];
  for (const part of parts) {
    if (typeof part === "string") found.push({ text: part, name: null });
    else if ("select" in part) found.push(...pieces(variantOf(part, filling[part.select], manner), filling, manner));
    else found.push({ text: inWords(filling[part.value], manner.words?.[part.value], manner), name: part.value });
  }
  return found;
}

function inWords(value: unknown, words: Pattern | undefined, { plurals }: Manner): string {
  return words === undefined ? formatValue(value) : fill(words, { value }, { plurals });
}

export function fill(pattern: Pattern, filling: Filling, manner: Manner): string {
  let said = "";
  for (const { text } of pieces(pattern, filling, manner)) said += text;
  return said;
}

/** The names of the numbers that a pattern speaks of, in any of its variants. */
export function placeholders(pattern: Pattern): string[] {
  if (typeof pattern === "string") return [];
  const names = pattern.flatMap((part) => {
    if (typeof part === "string") return [];
    return "select" in part ? [part.select, ...Object.values(part.variants).flatMap(placeholders)] : [part.value];
  });
  return [...new Set(names)];
}
