/** The engine's catalogue of texts, and the sentences made from it. */

import type { Bilingual, Lang, Numbers, TraceEvent, Value } from "./frame";

export interface EventText extends Bilingual {
  readonly formula?: Bilingual | null;
}

export interface PropertyText {
  readonly title: Bilingual;
  readonly violated_title: Bilingual;
  readonly sentence: Bilingual;
}

export interface Catalogue {
  /** By `kind.variant` or `kind`. */
  readonly events: Readonly<Record<string, EventText>>;
  readonly rules: Readonly<Record<string, Bilingual>>;
  /** A source's name to its address. */
  readonly sources: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, Bilingual>>;
  readonly properties: Readonly<Record<string, PropertyText>>;
  readonly terms: Readonly<Record<string, Bilingual>>;
  readonly steps: Readonly<Record<string, Bilingual>>;
  readonly message_kinds: Readonly<Record<string, Bilingual>>;
  readonly changes: Readonly<Record<string, Bilingual>>;
  /** Words for values that would otherwise be shown raw: a number's name, then the value as text. */
  readonly names?: Readonly<Record<string, Readonly<Record<string, Bilingual>>>>;
}

/** In which language values get their words, and which words there are. */
export interface Naming {
  readonly names: Catalogue["names"];
  readonly lang: Lang;
}

/** A piece of a sentence: text of the template, or a number or name that was put in. */
export interface Piece {
  readonly text: string;
  /** The placeholder this piece stands for; null for the template's own words. */
  readonly name: string | null;
}

const PLACEHOLDER = /\{\{|\}\}|\{([a-z_0-9]+)\}/g;

const MOST_SHOWN = 10;
const SHOWN_OF_MORE = 3;

/** How one value is written in a sentence: lists joined by commas, long ones cut short, null and nothing as a dash. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value) && value.length > MOST_SHOWN) {
    return [...value.slice(0, SHOWN_OF_MORE).map(formatValue), `… ${formatValue(value[value.length - 1])}`].join(", ");
  }
  if (Array.isArray(value)) return value.map(formatValue).join(", ") || "–";
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([key, inner]) => `${key}: ${formatValue(inner)}`);
    return entries.join(", ") || "–";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function named(name: string, value: Value | undefined, naming: Naming | undefined): string {
  const plain = formatValue(value);
  return naming?.names?.[name]?.[plain]?.[naming.lang] ?? plain;
}

/** Fills a template and keeps what was put in apart from the words around it. */
export function pieces(template: string, numbers: Numbers, naming?: Naming): Piece[] {
  const found: Piece[] = [];
  let words = "";
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    words += template.slice(end, match.index);
    end = match.index + match[0].length;
    const name = match[1];
    if (name === undefined) {
      words += match[0] === "{{" ? "{" : "}";
      continue;
    }
    if (words !== "") found.push({ text: words, name: null });
    words = "";
    found.push({ text: named(name, numbers[name], naming), name });
  }
  words += template.slice(end);
  if (words !== "") found.push({ text: words, name: null });
  return found;
}

export function fill(template: string, numbers: Numbers, naming?: Naming): string {
  return pieces(template, numbers, naming)
    .map((piece) => piece.text)
    .join("");
}

/** The text of an event's variant, else of its kind; undefined when the catalogue has neither. */
export function eventText(catalogue: Catalogue, event: TraceEvent): EventText | undefined {
  const variant = event.variant ? catalogue.events[`${event.kind}.${event.variant}`] : undefined;
  return variant ?? catalogue.events[event.kind];
}

/** The event said in words. An event that the catalogue does not know is said by its name. */
export function sentence(catalogue: Catalogue, event: TraceEvent, lang: Lang): string {
  const text = eventText(catalogue, event);
  return text === undefined ? event.kind : fill(text[lang], event.numbers, { names: catalogue.names, lang });
}

export function sentencePieces(catalogue: Catalogue, event: TraceEvent, lang: Lang): Piece[] {
  const text = eventText(catalogue, event);
  return text === undefined ? [{ text: event.kind, name: null }] : pieces(text[lang], event.numbers, { names: catalogue.names, lang });
}

/** The event's formula with its numbers put in, or null where it has none. */
export function formula(catalogue: Catalogue, event: TraceEvent, lang: Lang): string | null {
  const text = eventText(catalogue, event)?.formula;
  return text ? fill(text[lang], event.numbers, { names: catalogue.names, lang }) : null;
}

/** Why an action is refused, in words. */
export function reasonText(catalogue: Catalogue, code: string, numbers: Numbers, lang: Lang): string | null {
  const text = catalogue.reasons[code];
  return text === undefined ? null : fill(text[lang], numbers, { names: catalogue.names, lang });
}

/** What a button says that does a step: by an argument's name, by a textual argument, by the step.
 *  `settings` stands for what `config` sets. */
export function stepLabel(catalogue: Catalogue, step: Readonly<Record<string, Numbers>>, lang: Lang): string {
  const [kind, given] = Object.entries(step)[0] ?? ["", {}];
  const keys = Object.keys(given).map((name) => `${kind}.${name}`);
  const settings = Object.entries(given).filter(([name]) => name !== "topic");
  const numbers = kind === "config" ? { ...given, settings: settings.map(([name, value]) => `${name}: ${String(value)}`) } : given;
  const words = Object.values(given).filter((value) => typeof value === "string");
  for (const key of [...keys, ...words.map((word) => `${kind}.${String(word)}`), kind]) {
    const text = catalogue.steps[key];
    if (text !== undefined) return fill(text[lang], numbers, { names: catalogue.names, lang });
  }
  return kind;
}

/** Names of placeholders that stand for records: sentences set them in bold. */
export const RECORD_NAMES: ReadonlySet<string> = new Set(["value", "values"]);
