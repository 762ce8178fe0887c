/** The engine's catalogue of texts, and the sentences made from it. */

import {
  DEFAULT_LANGUAGE,
  fill,
  formatValue,
  languageOf,
  pieces,
  placeholders,
  type Lang,
  type Manner,
  type Pattern,
  type Piece,
} from "../language";

import { partsOf, type Numbers, type Step, type TraceEvent } from "./frame";

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

/** All texts in one language, by the ids from `textId`. */
export interface CatalogueTexts {
  readonly events: Readonly<Record<string, EventText>>;
  readonly properties: Readonly<Record<string, PropertyText>>;
  readonly rules: Patterns;
  readonly reasons: Patterns;
  readonly terms: Patterns;
  /** The words for a term in texts, separated by bars. */
  readonly term_words: Patterns;
  readonly steps: Patterns;
  readonly changes: Patterns;
  /** Texts for values, by the value's name. */
  readonly values: Patterns;
}

/** A dot or an arrow of an event in the diagram of messages over time, see the engine's `Drawing`. */
export interface Drawing {
  readonly label: string;
  readonly at?: "broker" | "controller" | "producers" | "consumers" | "client";
  readonly to?: "broker" | "controller" | "producers" | "consumers";
  readonly tone?: "plain" | "accent" | "good" | "warn" | "bad";
  readonly before?: boolean;
  readonly lost?: boolean;
  readonly values?: Readonly<Record<string, string>>;
  readonly needs?: string;
  readonly if_moved?: boolean;
  readonly unless?: string;
  readonly form?: "isr" | "link";
}

/** The drawings of events, by the ids from `textId`. */
export type Drawings = Readonly<Record<string, readonly Drawing[]>>;

export interface Catalogue {
  /** Name of a source → its address. */
  readonly sources: Readonly<Record<string, string>>;
  /** Absent where no diagram is shown. */
  readonly drawings?: Drawings;
  readonly languages: Readonly<Record<Lang, CatalogueTexts>>;
}

/** No text. */
export const SILENT: CatalogueTexts = {
  events: {},
  properties: {},
  rules: {},
  reasons: {},
  terms: {},
  term_words: {},
  steps: {},
  changes: {},
  values: {},
};

/** The texts in a language; in English if the service does not have it. */
export function textsIn(catalogue: Catalogue, lang: Lang): CatalogueTexts {
  return catalogue.languages[lang] ?? catalogue.languages[DEFAULT_LANGUAGE] ?? SILENT;
}

/** The id of a text: its names joined by "-", which also replaces dots and spaces in them. */
function textId(...names: string[]): string {
  return names.join("-").replaceAll(/[. ]/g, "-");
}

function mannerOf(catalogue: Catalogue, lang: Lang): Manner {
  return { ...languageOf(lang), words: textsIn(catalogue, lang).values };
}

/** The drawings of an event's variant, else of its kind. */
export function drawingsOf(drawings: Drawings, event: TraceEvent): readonly Drawing[] {
  const own = event.variant === undefined ? undefined : drawings[textId(event.kind, event.variant)];
  return own ?? drawings[event.kind] ?? [];
}

/** The text of an event's variant, else of its kind; undefined when the catalogue has neither. */
function eventText(catalogue: Catalogue, event: TraceEvent, lang: Lang): EventText | undefined {
  const { events } = textsIn(catalogue, lang);
  const variant = event.variant ? events[textId(event.kind, event.variant)] : undefined;
  return variant ?? events[event.kind];
}

/** The sentence of an event. For an event that is not in the catalogue, its name. */
export function sentence(catalogue: Catalogue, event: TraceEvent, lang: Lang): string {
  return sentencePieces(catalogue, event, lang)
    .map((piece) => piece.text)
    .join("");
}

export function sentencePieces(catalogue: Catalogue, event: TraceEvent, lang: Lang): Piece[] {
  const text = eventText(catalogue, event, lang);
  return text === undefined
    ? [{ text: event.kind, name: null }]
    : pieces(text.text, event.numbers, mannerOf(catalogue, lang));
}

/** The event's formula with its values, or null if it has none. */
export function formulaPieces(catalogue: Catalogue, event: TraceEvent, lang: Lang): Piece[] | null {
  const pattern = eventText(catalogue, event, lang)?.formula ?? null;
  return pattern === null ? null : pieces(pattern, event.numbers, mannerOf(catalogue, lang));
}

function said(
  catalogue: Catalogue,
  pattern: Pattern | undefined,
  numbers: Numbers,
  lang: Lang,
): string | null {
  return pattern === undefined ? null : fill(pattern, numbers, mannerOf(catalogue, lang));
}

/** Why an action is refused, in words. */
export function reasonText(
  catalogue: Catalogue,
  code: string,
  numbers: Numbers,
  lang: Lang,
): string | null {
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

/** The title, the violated title or the sentence of a property; its name if it has no texts. */
export function propertyText(
  catalogue: Catalogue,
  name: string,
  which: keyof PropertyText,
  lang: Lang,
): string {
  return said(catalogue, textsIn(catalogue, lang).properties[name]?.[which], {}, lang) ?? name;
}

/**
 * The name of a changed value in a frame, with its owner if the name includes it. `control` is the
 * kind of the controller: some values have another name in ZooKeeper.
 */
export function changeText(
  catalogue: Catalogue,
  what: string,
  subject: string | null,
  control: string,
  lang: Lang,
): { readonly text: string; readonly namesSubject: boolean } {
  const pattern = textsIn(catalogue, lang).changes[what] ?? what;
  return {
    text: fill(pattern, { subject, control }, mannerOf(catalogue, lang)),
    namesSubject: placeholders(pattern).includes("subject"),
  };
}

/** The old or new value of a change, as text. */
export function changeValue(
  catalogue: Catalogue,
  what: string,
  value: unknown,
  lang: Lang,
): string {
  const words = textsIn(catalogue, lang).values[what];
  // In a sentence an empty set is between braces; here it needs its own text.
  return (
    (words === undefined ? "" : fill(words, { value }, mannerOf(catalogue, lang))) ||
    formatValue(value, languageOf(lang).separator)
  );
}

/** The name of a kind of message. */
export function messageName(catalogue: Catalogue, kind: string, lang: Lang): string {
  return said(catalogue, textsIn(catalogue, lang).values.message, { value: kind }, lang) ?? kind;
}

/**
 * The label of the button for a step: by an argument's name, by a textual argument, by the step.
 * `settings` stands for what `config` sets, by Kafka's names (`metadata.version`).
 */
export function stepLabel(catalogue: Catalogue, step: Step, lang: Lang): string {
  const { name: kind, given: arguments_ } = partsOf(step);
  // A step's arguments are values that texts can show.
  const given = arguments_ as Numbers;
  const settings = Object.entries(given).filter(([name]) => name !== "topic");
  const numbers =
    kind === "config"
      ? {
          ...given,
          settings: settings.map(([name, value]) => `${name.replaceAll("_", ".")}: ${value}`),
        }
      : given;
  const words = Object.values(given).filter((value) => typeof value === "string");
  const { steps } = textsIn(catalogue, lang);
  // The last argument is set least often, so it is the most specific.
  const ids = [...Object.keys(given).reverse(), ...words.map(String)].map((qualifier) =>
    textId(kind, qualifier),
  );
  const found = [...ids, kind].find((id) => steps[id] !== undefined);
  return said(catalogue, found === undefined ? undefined : steps[found], numbers, lang) ?? kind;
}

/** The names of placeholders for records, which sentences show in bold. */
export const RECORD_NAMES: ReadonlySet<string> = new Set(["value", "values"]);
