/**
 * The languages' folders as modules: `languages:list` lists the languages, and
 * `languages:<part>` contains the texts of a part of the interface in each of them, with `say`, which
 * looks one up, `useSay`, which gives a component the lookup in its page's language, and `isWord`,
 * which knows the names. `languages:steps` has the narration's names of steps outside of a run: `crash.name`,
 * `crash.fault`.
 *
 * The files are Fluent, parsed with Fluent's own parser when the page is built. The page contains
 * plain data, in the form in which the engine sends the narration (`sim_engine/languages/fluent.py`).
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { Placeable } from "@fluent/syntax";
import {
  FluentParser,
  Identifier,
  Junk,
  Message,
  SelectExpression,
  StringLiteral,
  TextElement,
  VariableReference,
  type Expression,
  type Pattern,
} from "@fluent/syntax";
import type { Plugin } from "vite";

export type PatternData = string | (string | PlaceData)[];
export type PlaceData =
  { value: string } | { select: string; variants: Record<string, PatternData>; default: string };

export interface MessageData {
  readonly text: PatternData | null;
  readonly attributes: Readonly<Record<string, PatternData>>;
}

export interface LanguageData {
  readonly tag: string;
  readonly name: string;
  readonly short: string;
  readonly formats: string;
  readonly plurals: Readonly<Record<string, PatternData>>;
  readonly separator: string;
}

const ROOT = resolve(import.meta.dirname, "../sim_engine/languages");
const SAYER = resolve(import.meta.dirname, "src/language/sayer.ts");
const CONTEXT = resolve(import.meta.dirname, "src/language/context.ts");
const DEFAULT_LANGUAGE = "en";
const PREFIX = "languages:";
const STEPS = "steps";
/** The attributes of a step's name: in a list, on a broker's row, in another bar of actions, as a fault, in the budget of a search. */
const STEP_NAMES: readonly string[] = ["name", "row", "bar", "fault", "budget"];

function fail(where: string, what: string): never {
  throw new Error(`${where}: ${what}`);
}

function partOf(expression: Expression | Placeable, where: string): string | PlaceData {
  if (expression instanceof StringLiteral) return expression.parse().value;
  if (expression instanceof VariableReference) return { value: expression.id.name };
  if (expression instanceof SelectExpression && expression.selector instanceof VariableReference) {
    const variants = expression.variants.map((variant) => {
      const key = variant.key instanceof Identifier ? variant.key.name : String(variant.key.value);
      return { key, isDefault: variant.default, pattern: patternOf(variant.value, where) };
    });
    return {
      select: expression.selector.id.name,
      variants: Object.fromEntries(variants.map(({ key, pattern }) => [key, pattern])),
      default:
        variants.find(({ isDefault }) => isDefault)?.key ??
        fail(where, "a selection needs a default"),
    };
  }
  return fail(where, `${expression.type} is more of Fluent than is used here`);
}

function patternOf(pattern: Pattern, where: string): PatternData {
  const parts: (string | PlaceData)[] = [];
  for (const element of pattern.elements) {
    const part = element instanceof TextElement ? element.value : partOf(element.expression, where);
    if (typeof part === "string" && part.includes("\n")) fail(where, "a text must be on one line");
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else if (part !== "") parts.push(part);
  }
  const [first] = parts;
  if (first === undefined) return "";
  return parts.length === 1 && typeof first === "string" ? first : parts;
}

/** The messages of a Fluent file; an error names the file and the message. */
export function readFluent(source: string, name: string): Record<string, MessageData> {
  const messages: Record<string, MessageData> = {};
  for (const entry of new FluentParser({ withSpans: false }).parse(source).body) {
    if (entry instanceof Junk)
      fail(name, entry.annotations.map(({ message }) => message).join("; "));
    if (!(entry instanceof Message)) continue;
    const where = `${name}: ${entry.id.name}`;
    messages[entry.id.name] = {
      text: entry.value === null ? null : patternOf(entry.value, where),
      attributes: Object.fromEntries(
        entry.attributes.map((attribute) => [attribute.id.name, patternOf(attribute.value, where)]),
      ),
    };
  }
  return messages;
}

/** The messages of one file of a language; `file` is its path in the folder, without ".ftl". */
export function readMessages(lang: string, file: string): Record<string, MessageData> {
  return readFluent(readFileSync(pathOf(lang, file), "utf8"), `${lang}/${file}.ftl`);
}

function pathOf(lang: string, file: string): string {
  return `${ROOT}/${lang}/${file}.ftl`;
}

/** The folders of the languages, the default first. */
export function languageTags(): string[] {
  const tags = readdirSync(ROOT).filter(
    (name) => name !== DEFAULT_LANGUAGE && existsSync(pathOf(name, "language")),
  );
  return [DEFAULT_LANGUAGE, ...tags.sort()];
}

/** The parts of the interface: one file each. */
export function roomNames(): string[] {
  return readdirSync(`${ROOT}/${DEFAULT_LANGUAGE}/interface`)
    .map((file) => file.replace(/\.ftl$/, ""))
    .sort();
}

export function readLanguage(tag: string): LanguageData {
  const said = readMessages(tag, "language");
  const word = (name: string) => {
    const text = said[name]?.text;
    return typeof text === "string" ? text : fail(`${tag}/language.ftl`, `'${name}' is missing`);
  };
  return {
    tag,
    name: word("name"),
    short: word("short"),
    formats: word("formats"),
    plurals: said.plurals?.attributes ?? {},
    separator: word("separator"),
  };
}

/** The file of a part of the interface, in a language's folder. */
function fileOf(room: string): string {
  return room === "list" ? "language" : room === STEPS ? "narration/steps" : `interface/${room}`;
}

export function readRoom(tag: string, room: string): Record<string, PatternData> {
  const messages = readMessages(tag, fileOf(room));
  if (room === STEPS) {
    return Object.fromEntries(
      Object.entries(messages).flatMap(([name, { attributes }]) =>
        Object.entries(attributes).flatMap(([attribute, text]) =>
          STEP_NAMES.includes(attribute) ? [[`${name}.${attribute}`, text]] : [],
        ),
      ),
    );
  }
  return Object.fromEntries(
    Object.entries(messages).map(([name, { text }]) => [
      name,
      text ?? fail(`${tag}/interface/${room}.ftl`, `'${name}' has no text`),
    ]),
  );
}

/** A language without a folder, which tests derive from an existing one. */
export interface Added {
  readonly language: LanguageData;
  readonly room: (room: string) => Record<string, PatternData>;
}

/** The modules of the languages with folders, and of added ones. */
export function languages(added: readonly Added[] = []): Plugin {
  return {
    name: "highwater-languages",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const room = id.slice(PREFIX.length + 1);
      const tags = languageTags();
      for (const tag of tags) this.addWatchFile(pathOf(tag, fileOf(room)));
      const data =
        room === "list"
          ? [...tags.map(readLanguage), ...added.map(({ language }) => language)]
          : Object.fromEntries([
              ...tags.map((tag) => [tag, readRoom(tag, room)]),
              ...added.map((one) => [one.language.tag, one.room(room)]),
            ]);
      const texts = JSON.stringify(data);
      if (room === "list") return `export default ${texts};`;
      return `import { sayer, wordsOf } from ${JSON.stringify(SAYER)};\nimport { inContext } from ${JSON.stringify(CONTEXT)};\nconst texts = ${texts};\nexport default texts;\nexport const say = sayer(texts);\nexport const useSay = inContext(say);\nexport const isWord = wordsOf(texts);`;
    },
  };
}

/** The types of the modules: a message that is not in the default language's folder does not compile. */
export function declarations(): string {
  const rooms = roomNames().map((room) => {
    const names = Object.keys(readRoom(DEFAULT_LANGUAGE, room)).map((name) => `    | "${name}"`);
    return declared(room, `\n${names.join("\n")}`);
  });
  const list = `declare module "languages:list" {\n  const list: readonly import("./languages").Language[];\n  export default list;\n}\n`;
  return [list, declared(STEPS, " string"), ...rooms].join("\n");
}

function declared(room: string, names: string): string {
  return `declare module "languages:${room}" {\n  export type Word =${names};\n  const texts: import("./sayer").Texts<Word>;\n  export default texts;\n  export const say: import("./sayer").Say<Word>;\n  export const useSay: () => import("./context").SayHere<Word>;\n  export const isWord: (name: string) => name is Word;\n}\n`;
}
