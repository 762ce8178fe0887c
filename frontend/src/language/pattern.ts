/**
 * Patterns and their formatter. The engine formats them in the same way (`languages/fluent.py`).
 *
 * A value with its own text is replaced by it. A selection uses the variant whose key is the value
 * as text (`nothing` for values shown as a dash); otherwise, for a whole number or the length of a
 * list, the variant of its plural category; otherwise the default.
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

/** A string without placeholders, otherwise the parts in order. */
export type Pattern = string | readonly (string | Place | Selection)[];

export type Filling = Readonly<Record<string, unknown>>;

export interface Manner {
  /** CLDR's rule by plural category. */
  readonly plurals: Readonly<Record<string, string>>;
  /** What stands between the elements of a list in a sentence; ", " if it is left out. */
  readonly separator?: string | undefined;
  /** Texts for values, by the number's name: a selection on `value`. */
  readonly words?: Readonly<Record<string, Pattern>> | undefined;
}

/** A piece of a sentence: text of the pattern, or an inserted value. */
export interface Piece {
  readonly text: string;
  /** The placeholder that this piece fills; null for the pattern's own text. */
  readonly name: string | null;
}

const NOTHING = "–";
const NOTHING_KEY = "nothing";
/** Between ASCII brackets, as in {1, 2} and min(80, 90), in every language. */
const NOTATION_SEPARATOR = ", ";
const MOST_SHOWN = 10;
const SHOWN_OF_MORE = 3;

/**
 * Formats one value: lists are joined by the separator, long ones are shortened, null and empty
 * values are a dash.
 */
export function formatValue(value: unknown, separator = NOTATION_SEPARATOR): string {
  if (value === null || value === undefined) return NOTHING;
  if (Array.isArray(value)) {
    const shown = value.map((one) => formatValue(one, separator));
    const some =
      shown.length > MOST_SHOWN
        ? [...shown.slice(0, SHOWN_OF_MORE), `… ${shown.at(-1) ?? ""}`]
        : shown;
    return some.join(separator) || NOTHING;
  }
  if (typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, inner]) => `${key}: ${formatValue(inner, separator)}`,
    );
    return entries.join(separator) || NOTHING;
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function variantOf(selection: Selection, value: unknown, { plurals }: Manner): Pattern {
  const text = formatValue(value);
  const exact = selection.variants[text === NOTHING ? NOTHING_KEY : text];
  if (exact !== undefined) return exact;
  const count = String(Array.isArray(value) ? value.length : value);
  const formed = /^-?\d+$/.test(count)
    ? selection.variants[pluralCategory(Number(count), plurals)]
    : undefined;
  return formed ?? selection.variants[selection.default] ?? "";
}

/** Fills a pattern and returns inserted values as separate pieces. */
export function pieces(pattern: Pattern, filling: Filling, manner: Manner): Piece[] {
  const found: Piece[] = [];
  const parts = typeof pattern !== "string" ? pattern : pattern === "" ? [] : [pattern];
  for (const part of parts) {
    if (typeof part === "string") found.push({ text: part, name: null });
    else if ("select" in part)
      found.push(...pieces(variantOf(part, filling[part.select], manner), filling, manner));
    else if (isEmptySet(filling[part.value], found.at(-1)))
      found.push({ text: "", name: part.value });
    else
      found.push({
        text: inWords(
          filling[part.value],
          manner.words?.[part.value],
          isInBrackets(found) ? { ...manner, separator: NOTATION_SEPARATOR } : manner,
        ),
        name: part.value,
      });
  }
  return found;
}

/** An empty list after "{" is the empty set, "{}". */
function isEmptySet(value: unknown, before: Piece | undefined): boolean {
  return Array.isArray(value) && value.length === 0 && before?.text.endsWith("{") === true;
}

/** Whether what follows is between ASCII brackets. */
function isInBrackets(before: readonly Piece[]): boolean {
  const text = before.map((piece) => piece.text).join("");
  return text.replace(/[^([{]/g, "").length > text.replace(/[^)\]}]/g, "").length;
}

function inWords(
  value: unknown,
  words: Pattern | undefined,
  { plurals, separator }: Manner,
): string {
  return words === undefined
    ? formatValue(value, separator)
    : fill(words, { value }, { plurals, separator });
}

export function fill(pattern: Pattern, filling: Filling, manner: Manner): string {
  let said = "";
  for (const { text } of pieces(pattern, filling, manner)) said += text;
  return said;
}

/** The names of the values that a pattern uses, in any of its variants. */
export function placeholders(pattern: Pattern): string[] {
  if (typeof pattern === "string") return [];
  const names = pattern.flatMap((part) => {
    if (typeof part === "string") return [];
    return "select" in part
      ? [part.select, ...Object.values(part.variants).flatMap(placeholders)]
      : [part.value];
  });
  return [...new Set(names)];
}
