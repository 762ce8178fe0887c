/** A campaign's summary from a file that the user selected, validated before it is drawn. */

import { say } from "languages:insights";
import type { Filling } from "../language";
import type { CampaignSummary } from "../service/api";
import type { Lang } from "../trace";
import { isHeadlineKind } from "./campaign-text";

export const MOST_BYTES = 16_000_000;
const MOST_CELLS = 512;

/** The shape of a value: a type's name (`?`: or null), a list of one shape, or an object whose fields have shapes. */
type Shape =
  | "string"
  | "number"
  | "number?"
  | "boolean"
  | "value"
  | "object"
  | "numbers"
  | "lists"
  | readonly [Shape]
  | { readonly [field: string]: Shape };

const PROPORTION = {
  count: "number",
  of: "number",
  rate: "number?",
  low: "number?",
  high: "number?",
} as const;
const SUMMARY = {
  campaign: "string",
  engine: "string",
  steps: "number",
  step_ms: "number",
  runs: "number",
  confidence: "number",
  grid: "object",
  axes: "lists",
  cells: [
    {
      cell: "number",
      settings: "object",
      lost: PROPORTION,
      causes: [{ cause: "string", lost: PROPORTION }],
      unavailable: { mean: "number" },
      lost_of_acked: "number?",
      rules: "numbers",
      lag: { counts: ["number"], p50_ms: "number?", p99_ms: "number?", uncommitted: "number" },
    },
  ],
  comparisons: [
    {
      axis: "string",
      cells: ["number"],
      values: ["value"],
      only_first: "number",
      only_second: "number",
      differs: "boolean",
      difference: { low: "number", high: "number" },
      decided: "boolean",
    },
  ],
  survival: [
    {
      cell: "number",
      by: "string",
      median: "number?",
      points: [
        { at: "number", survival: "number", low: "number", high: "number", runs_left: "number" },
      ],
    },
  ],
  odds: {
    terms: [
      {
        kind: "string",
        name: "string",
        runs: "number",
        lost: "number",
        odds_ratio: "number?",
        low: "number?",
        high: "number?",
        effect: "string",
      },
    ],
  },
  faults: [
    { kind: "string", scope: "string", rates: ["number"], duration_ms: "number", runs: "number" },
  ],
  headlines: [{ kind: "string", about: "string" }],
  examples: [
    { cell: "number", cause: "string", faults: ["string"], steps: "number", scenario: "object" },
  ],
  samples: [{ cell: "number", seed: "number" }],
} as const satisfies Partial<Record<keyof CampaignSummary, Shape>>;

export type Opened = { readonly summary: CampaignSummary } | { readonly problem: string };

/** The summary in a file's text, or one sentence about what is wrong with it. `expected` is the format's version. */
export function openedSummary(name: string, text: string, expected: number, lang: Lang): Opened {
  const problem = (word: Parameters<typeof say>[1], more: Filling = {}): Opened => ({
    problem: say(lang, word, { name, ...more }),
  });
  if (text.length > MOST_BYTES) return problem("fileTooLarge");
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return problem("fileNotJson");
  }
  if (isObject(found) && typeof found.version === "number" && found.version !== expected) {
    const version = String(found.version);
    return problem("fileOtherVersion", { version, expected: String(expected) });
  }
  const place = wrongPlace(found, { version: "number", ...SUMMARY }, "");
  if (place !== null) return problem("fileWrong", { place: place === "" ? "{}" : place });
  const summary = found as CampaignSummary;
  const unknown = summary.headlines.findIndex(({ kind }) => !isHeadlineKind(kind));
  if (unknown >= 0) return problem("fileWrong", { place: `headlines[${String(unknown)}].kind` });
  if (summary.cells.length > MOST_CELLS) return problem("fileTooManyCells");
  return summary.cells.length === 0 ? problem("fileWrong", { place: "cells[0]" }) : { summary };
}

/** The place of the first invalid value: `cells[3].lost.count`; null if all are valid. */
function wrongPlace(value: unknown, shape: Shape, place: string): string | null {
  if (typeof shape === "string") return isOf(value, shape) ? null : place;
  let parts: readonly (readonly [unknown, Shape, string])[];
  if (isList(shape)) {
    if (!Array.isArray(value)) return place;
    parts = value.map((each: unknown, at) => [each, shape[0], `${place}[${String(at)}]`]);
  } else {
    if (!isObject(value)) return place;
    const inside = place === "" ? "" : `${place}.`;
    parts = Object.entries(shape).map(([name, its]) => [value[name], its, `${inside}${name}`]);
  }
  for (const part of parts) {
    const wrong = wrongPlace(...part);
    if (wrong !== null) return wrong;
  }
  return null;
}

function isOf(value: unknown, type: Shape & string): boolean {
  switch (type) {
    case "number?":
      return value === null || typeof value === "number";
    case "value":
      return ["string", "number", "boolean"].includes(typeof value);
    case "object":
      return isObject(value);
    case "numbers":
      return isObject(value) && Object.values(value).every((each) => typeof each === "number");
    case "lists":
      return isObject(value) && Object.values(value).every(Array.isArray);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
