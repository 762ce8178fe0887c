/** Pages in a language that only exists as a folder: their data, and the English texts found on them. */

import { vi } from "vitest";

import { accented, accentedPattern, PSEUDO } from "../pseudo-language.config";
import { readMessages, type PatternData } from "../languages.config";
import type { Catalogue, CatalogueTexts } from "./trace";

/** The narration's file of English, accented. */
function accentedPart(
  part: string,
): Record<string, { text: PatternData; attributes: Record<string, PatternData> }> {
  const accentedOf = (pattern: PatternData | null) => accentedPattern(pattern ?? "");
  return Object.fromEntries(
    Object.entries(readMessages("en", `narration/${part}`)).map(([name, { text, attributes }]) => [
      name,
      {
        text: accentedOf(text),
        attributes: Object.fromEntries(
          Object.entries(attributes).map(([key, pattern]) => [key, accentedOf(pattern)]),
        ),
      },
    ]),
  );
}

function plainPart(part: string): Record<string, PatternData> {
  return Object.fromEntries(
    Object.entries(accentedPart(part)).map(([name, { text }]) => [name, text]),
  );
}

/** The catalogue as the service sends it, in the language that the tests add. */
const texts: CatalogueTexts = {
  events: Object.fromEntries(
    Object.entries(accentedPart("events")).map(([name, { text, attributes }]) => [
      name,
      { text, formula: attributes.formula ?? null },
    ]),
  ),
  properties: Object.fromEntries(
    Object.entries(accentedPart("properties")).map(([name, { text, attributes }]) => [
      name,
      {
        title: text,
        violated_title: attributes.violated_title ?? "",
        sentence: attributes.sentence ?? "",
      },
    ]),
  ),
  rules: plainPart("rules"),
  reasons: plainPart("reasons"),
  terms: plainPart("terms"),
  term_words: {},
  steps: plainPart("steps"),
  changes: plainPart("changes"),
  values: { ...plainPart("values"), message: plainPart("values").kind ?? "" },
};
export const catalogue: Catalogue = { sources: {}, languages: { [PSEUDO]: texts } };

/** Texts that are the same in every language: Kafka's names, names of files and formats, and authors' texts. */
const NAMES =
  /\b(Kafka|Highwater|AR|OSR|ISR|ELR|HW|LEO|LSO|OffsetsForLeaderEpoch|LeaderAndIsr|ListOffsets|StopReplica|UpdateMetadata|PartitionChangeRecord|AlterPartition|BrokerHeartbeat|Fetch|ReplicaFetcherThread|isr_change_notification|replication-offset-checkpoint|recovery-point-offset-checkpoint|leader-epoch-checkpoint|KIP-\d+|KAFKA-\d+|[A-Z]+(_[A-Z]+)+|acks=\w+|min\(|[tmpr]-?\d+|ZooKeeper|KRaft|acks|all|min\.insync\.replicas|unclean\.leader\.election\.enable)(?![a-z])/g;
const ATTRIBUTES = [
  "aria-label",
  "aria-valuetext",
  "aria-description",
  "aria-roledescription",
  "title",
  "placeholder",
  "alt",
  "label",
];

/** Every text on the page, for readers and for screen readers, except texts marked as a different language. */
export function said(): string[] {
  const found: string[] = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("script, style, code, textarea, kbd, [lang]:not(html)") !== null) continue;
    for (const name of ATTRIBUTES) found.push(element.getAttribute(name) ?? "");
    for (const child of element.childNodes)
      if (child.nodeType === Node.TEXT_NODE) found.push(child.textContent ?? "");
  }
  return found.map((text) => text.trim()).filter((text) => text !== "");
}

/**
 * Finds English text that should not be there; `all` is a value of acks, and addresses are not
 * text.
 */
export function english(): string[] {
  return [
    ...new Set(
      said().filter(
        (text) =>
          text !== "all" &&
          /[A-Za-z]{2,}/.test(
            text
              .replaceAll(/=all$|https?:\/\/\S+|\S+\/p\/\w+|^\/p\/\w+|^localhost:\d+$/g, "")
              .replaceAll(NAMES, ""),
          ),
      ),
    ),
  ];
}

export const title = { en: accented("A record vanishes") };
export const scenario = { id: "s", kafka: "0.10.2", title, steps: [] };

export function serve(answers: Readonly<Record<string, unknown>>): void {
  vi.stubGlobal("fetch", (address: string) => {
    const found = Object.entries(answers).find(([path]) => address.includes(path));
    return found === undefined
      ? Promise.reject(new Error("no service here"))
      : Promise.resolve(new Response(JSON.stringify(found[1])));
  });
}

export const LESSON = {
  id: "a",
  alias: "s1",
  chapter: "basics",
  title,
  summary: title,
  source: ["KIP-101"],
  kafka: "3.9",
  control: "kraft",
  brokers: 2,
  steps: 3,
  violated: ["NoAckedRecordLost"],
  thumbnail: null,
};
export const CHOICES = [
  {
    step: { crash: { broker: 1 } },
    actor: "1",
    enabled: true,
    rank: 0,
    row: null,
    reason: null,
    reason_code: null,
    reason_numbers: {},
  },
  {
    step: { produce: { to: "t-0", values: ["m9"], as: "p1" } },
    actor: "p1",
    enabled: true,
    rank: 0,
    row: null,
    reason: null,
    reason_code: null,
    reason_numbers: {},
  },
  {
    step: { settle: {} },
    actor: "time",
    enabled: true,
    rank: 0,
    row: null,
    reason: null,
    reason_code: null,
    reason_numbers: {},
  },
];
