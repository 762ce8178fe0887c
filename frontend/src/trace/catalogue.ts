/** The engine's catalogue of texts, and the sentences made from it. */

import { DEFAULT_LANGUAGE, fill, formatValue, languageOf, pieces, type Lang, type Manner, type Pattern, type Piece } from "../language";

import type { Numbers, TraceEvent } from "./frame";

export interface EventText {
  readonly text: Pattern;
  readonly formula: Pattern | null;
}

export interface PropertyText {
  readonly title: Pattern;
  readonly violated_title: Pattern;
  readonly sentence: Pattern;
}

type Patterns = Readonly<Record<string, Pattern>>;

/** Everything that is said in one language, by ids that `textId` makes. */
export interface CatalogueTexts {
  readonly events: Readonly<Record<string, EventText>>;
  readonly properties: Readonly<Record<string, PropertyText>>;
  readonly rules: Patterns;
  readonly reasons: Patterns;
  readonly terms: Patterns;
  /** What texts say for a term: words separated by bars. */
  readonly term_words: Patterns;
  readonly steps: Patterns;
  readonly changes: Patterns;
  /** Words for values that would otherwise be shown raw, by the number's name. */
  readonly values: Patterns;
}

export interface Catalogue {
  /** A source's name to its address. */
  readonly sources: Readonly<Record<string, string>>;
  readonly languages: Readonly<Record<Lang, CatalogueTexts>>;
}

const SILENT: CatalogueTexts = { events: {}, properties: {}, rules: {}, reasons: {}, terms: {}, term_words: {}, steps: {}, changes: {}, values: {} };

/** What is said in a language; in English, where the service does not speak it. */
export function textsIn(catalogue: Catalogue, lang: Lang): CatalogueTexts {
  return catalogue.languages[lang] ?? catalogue.languages[DEFAULT_LANGUAGE] ?? SILENT;
}

/** The id of a text: its names joined by "-", which also stands for dots and spaces in them. */
export function textId(...names: string[]): string {
  return names.join("-").replaceAll(/[. ]/g, "-");
}

function mannerOf(catalogue: Catalogue, lang: Lang): Manner {
  return { plurals: languageOf(lang).plurals, words: textsIn(catalogue, lang).values };
}

/** The text of an event's variant, else of its kind; undefined when the catalogue has neither. */
function eventText(catalogue: Catalogue, event: TraceEvent, lang: Lang): EventText | undefined {
  const { events } = textsIn(catalogue, lang);
  const variant = event.variant ? events[textId(event.kind, event.variant)] : undefined;
  return variant ?? events[event.kind];
}

/** The event said in words. An event that the catalogue does not know is said by its name. */
export function sentence(catalogue: Catalogue, event: TraceEvent, lang: Lang): string {
  return sentencePieces(catalogue, event, lang)
    .map((piece) => piece.text)
    .join("");
}

export function sentencePieces(catalogue: Catalogue, event: TraceEvent, lang: Lang): Piece[] {
  const text = eventText(catalogue, event, lang);
  return text === undefined ? [{ text: event.kind, name: null }] : pieces(text.text, event.numbers, mannerOf(catalogue, lang));
}

/** The event's formula with its numbers put in, or null where it has none. */
export function formulaPieces(catalogue: Catalogue, event: TraceEvent, lang: Lang): Piece[] | null {
  const pattern = eventText(catalogue, event, lang)?.formula ?? null;
  return pattern === null ? null : pieces(pattern, event.numbers, mannerOf(catalogue, lang));
}

function said(catalogue: Catalogue, pattern: Pattern | undefined, numbers: Numbers, lang: Lang): string | null {
  return pattern === undefined ? null : fill(pattern, numbers, mannerOf(catalogue, lang));
}

/** Why an action is refused, in words. */
export function reasonText(catalogue: Catalogue, code: string, numbers: Numbers, lang: Lang): string | null {
  return said(catalogue, textsIn(catalogue, lang).reasons[code], numbers, lang);
}

/** A rule in one sentence. */
export function ruleText(catalogue: Catalogue, rule: string, lang: Lang): string | null {
  return said(catalogue, textsIn(catalogue, lang).rules[textId(rule)], {}, lang);
}

/** What a term of Kafka means, in one sentence. */
export function termText(catalogue: Catalogue, term: string, lang: Lang): string | null {
  return said(catalogue, textsIn(catalogue, lang).terms[textId(term)], {}, lang);
}

/** A property as what holds, as what has happened, or what it says; its name, where it has no words. */
export function propertyText(catalogue: Catalogue, name: string, which: keyof PropertyText, lang: Lang): string {
  return said(catalogue, textsIn(catalogue, lang).properties[name]?.[which], {}, lang) ?? name;
}

/** The name of what changed in a frame, of what it belongs to where the name says so. */
export function changeText(catalogue: Catalogue, what: string, subject: string | null, lang: Lang): { readonly text: string; readonly namesSubject: boolean } {
  const pattern = textsIn(catalogue, lang).changes[what] ?? what;
  return { text: fill(pattern, { subject }, mannerOf(catalogue, lang)), namesSubject: typeof pattern !== "string" };
}

/** What a change is from or to, in words where the value has any. */
export function changeValue(catalogue: Catalogue, what: string, value: unknown, lang: Lang): string {
  const words = textsIn(catalogue, lang).values[what];
  // A sentence leaves an empty set empty, between its braces; here nothing stands around it.
  return (words === undefined ? "" : fill(words, { value }, mannerOf(catalogue, lang))) || formatValue(value);
}

/** The name of a kind of message. */
export function messageName(catalogue: Catalogue, kind: string, lang: Lang): string {
  return said(catalogue, textsIn(catalogue, lang).values.message, { value: kind }, lang) ?? kind;
}

/** What a button says that does a step: by an argument's name, by a textual argument, by the step.
 *  `settings` stands for what `config` sets. */
export function stepLabel(catalogue: Catalogue, step: Readonly<Record<string, Numbers>>, lang: Lang): string {
  const [kind, given] = Object.entries(step)[0] ?? ["", {}];
  const settings = Object.entries(given).filter(([name]) => name !== "topic");
  const numbers = kind === "config" ? { ...given, settings: settings.map(([name, value]) => `${name}: ${String(value)}`) } : given;
  const words = Object.values(given).filter((value) => typeof value === "string");
  const { steps } = textsIn(catalogue, lang);
  // Of the arguments the last is the one that is given least often, and says most.
  const ids = [...Object.keys(given).reverse(), ...words.map(String)].map((qualifier) => textId(kind, qualifier));
  const found = [...ids, kind].find((id) => steps[id] !== undefined);
  return said(catalogue, found === undefined ? undefined : steps[found], numbers, lang) ?? kind;
}

/** Names of places that stand for records: sentences set them in bold. */
export const RECORD_NAMES: ReadonlySet<string> = new Set(["value", "values"]);
