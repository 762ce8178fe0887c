/** From the summary's rows to what the page says and draws. Nothing is estimated here. */

import type { Lang } from "../trace";
import type { FaultRow, LossRow } from "../service/api";
import { languageOf } from "../language";
import { faultName } from "../messages/faults";
import { say } from "../messages/insights";

export type Acks = "all" | "1";

/** A version's runs with one setting of acks; `row` is null where nobody shared any. */
export interface VersionLoss {
  readonly kafka: string;
  readonly row: LossRow | null;
}

export function compareVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Every version that was run with any acks, oldest first. */
export function versionsOf(rows: readonly LossRow[]): string[] {
  const found = new Set(rows.flatMap((row) => (row.dimension === "version_acks" && row.kafka !== null ? [row.kafka] : [])));
  return [...found].sort(compareVersions);
}

export function lossByVersion(rows: readonly LossRow[], acks: Acks): VersionLoss[] {
  const own = rows.filter((row) => row.dimension === "version_acks" && row.acks === acks);
  return versionsOf(rows).map((kafka) => ({ kafka, row: own.find((row) => row.kafka === kafka) ?? null }));
}

/** Versions with runs that could not have lost anything, and how many such runs. */
export function unexercised(rows: readonly LossRow[]): { readonly runs: number; readonly versions: readonly { kafka: string; runs: number }[] } {
  const versions = rows
    .filter((row) => row.dimension === "version" && row.kafka !== null && row.not_exercised > 0)
    .map((row) => ({ kafka: row.kafka ?? "", runs: row.not_exercised }))
    .sort((a, b) => compareVersions(a.kafka, b.kafka));
  return { runs: versions.reduce((sum, { runs }) => sum + runs, 0), versions };
}

/** Faults that came last before a loss, the most frequent first. */
export function faultsBehind(faults: readonly FaultRow[]): FaultRow[] {
  return faults.filter((row) => row.last_before_loss > 0).sort((a, b) => b.last_before_loss - a.last_before_loss);
}

/** What the rows show with acks=all, in one or two sentences: the page's title. */
export function headline(rows: readonly LossRow[], faults: readonly FaultRow[], lang: Lang): string {
  const told = lossByVersion(rows, "all").flatMap(({ row }) => (row !== null && row.exercised > 0 ? [row] : []));
  const lossy = told.filter((row) => row.lost > 0);
  const [only] = lossy;
  if (only === undefined) return say(lang, "headlineNone");

  const last = told.findLastIndex((row) => row.lost > 0);
  const allBefore = told.slice(0, last + 1).every((row) => row.lost > 0);
  const worst = lossy.reduce((most, row) => ((row.rate ?? 0) > (most.rate ?? 0) ? row : most));
  const text =
    allBefore && last < told.length - 1 && lossy.length > 1
      ? say(lang, "headlineStopped", { last: told[last]?.kafka ?? "" })
      : lossy.length === 1
        ? say(lang, "headlineOnly", { kafka: only.kafka ?? "", lost: only.lost, n: only.exercised })
        : say(lang, "headlineWorst", { kafka: worst.kafka ?? "", rate: percent(worst.rate ?? 0, lang) });
  const [first, second] = faultsBehind(faults);
  const oneLeads = first !== undefined && first.last_before_loss > (second?.last_before_loss ?? 0);
  return oneLeads ? text + say(lang, "headlineFault", { fault: faultName(first.fault, lang) }) : text;
}

/** A share as people read it: never "0 %" for what is only small, never more digits than it carries. */
export function percent(share: number, lang: Lang): string {
  const hundred = share * 100;
  const digits = hundred > 0 && hundred < 10 ? 1 : 0;
  const smallest = hundred > 0 && hundred < 0.1;
  const number = new Intl.NumberFormat(languageOf(lang).formats, { maximumFractionDigits: digits }).format(smallest ? 0.1 : hundred);
  return `${smallest ? "< " : ""}${number} %`;
}

/** A row said in words: nothing lost is a bound, not a zero. */
export function rateWords(row: LossRow, lang: Lang): string {
  if (row.exercised === 0) return say(lang, "nothingExercised");
  const high = percent(row.high ?? 1, lang);
  if (row.lost === 0) return say(lang, "noneOf", { n: row.exercised, high });
  return say(lang, "rateOf", { rate: percent(row.rate ?? 0, lang), low: percent(row.low ?? 0, lang), high, lost: row.lost, n: row.exercised });
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25];

/** Marks of an axis that starts at zero and holds `highest`, at most six of them. */
export function axisTicks(highest: number): number[] {
  const wanted = Math.min(1, Math.max(highest, 0.01));
  const step = STEPS.find((candidate) => Math.ceil(wanted / candidate - 1e-9) <= 5) ?? 0.25;
  const count = Math.min(Math.round(1 / step), Math.ceil(wanted / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Math.round(index * step * 1000) / 1000);
}

/** The far end of every interval drawn, so that both panels have one scale. */
export function highestOf(rows: readonly LossRow[]): number {
  return Math.max(0, ...rows.filter((row) => row.dimension === "version_acks" && row.exercised > 0).map((row) => row.high ?? row.rate ?? 0));
}
