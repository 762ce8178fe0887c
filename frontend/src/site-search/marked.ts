/** The parts of a text that a search has found. */

export interface Part {
  readonly text: string;
  readonly found: boolean;
}

const LETTER = /[0-9a-z]/i;

/** A text in parts. A Latin word is found at its beginning only, with the rest of it. */
export function markedParts(text: string, marks: readonly string[]): Part[] {
  const expressions = marks
    .filter((mark) => /[0-9\p{L}]/u.test(mark))
    .sort((one, other) => other.length - one.length)
    .map(expressionOf);
  if (expressions.length === 0) return [{ text, found: false }];
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(new RegExp(expressions.join("|"), "giu"))) {
    if (match.index > at) parts.push({ text: text.slice(at, match.index), found: false });
    parts.push({ text: match[0], found: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), found: false });
  return parts;
}

/** Between two words of a mark there may be any sign: `min insync replicas` is min.insync.replicas. */
function expressionOf(mark: string): string {
  const words = mark.split(/[^0-9\p{L}]+/u).filter(Boolean);
  const body = words.join("[^0-9\\p{L}]{0,2}");
  const begin = LETTER.test(words[0]?.[0] ?? "") ? "(?<![0-9a-z])" : "";
  const end = LETTER.test(words.at(-1)?.at(-1) ?? "") ? "(?:s|es|d|ed|ing)?(?![0-9a-z])" : "";
  return `${begin}${body}${end}`;
}
