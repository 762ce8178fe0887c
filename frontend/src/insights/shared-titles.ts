/**
 * The titles of the charts of shared runs: sentences from their counts. These runs are chosen
 * examples, so there are no rates.
 */

import { inLanguage } from "../language";
import { faultName } from "../messages/steps";
import { say } from "languages:insights";
import type { Insights } from "../service/api";
import type { Lang } from "../trace";
import { causeName } from "./campaign-text";
import {
  faultsBehind,
  knownCauses,
  runsBySetting,
  runsByVersion,
  runsOfUnknownCause,
} from "./shared";

/** Whether any release has lost a record, and how many have. */
export function versionsTitle({ loss }: Insights, lang: Lang): string {
  const versions = runsByVersion(loss);
  if (versions.length === 0) return say(lang, "versionsNone");
  const runs = sum(versions.map((one) => one.runs));
  const lost = sum(versions.map((one) => one.lost));
  const numbers = { runs, all: versions.length };
  if (lost === 0) return say(lang, "versionsLostNothing", numbers);
  return say(lang, "versionsTitle", {
    ...numbers,
    lost,
    some: versions.filter((one) => one.lost > 0).length,
  });
}

/** With how many settings a record was lost. */
export function settingsTitle({ loss }: Insights, lang: Lang): string {
  const settings = runsBySetting(loss);
  const all = settings.length;
  if (all === 0) return say(lang, "settingsNone");
  const some = settings.filter((one) => one.lost > 0).length;
  if (some === 0) return say(lang, "settingsLostNothing", { all });
  return some === all
    ? say(lang, "settingsAllLost", { all })
    : say(lang, "settingsTitle", { some, all });
}

/** The fault, or the faults, that came last before most losses. */
export function faultsTitle({ faults }: Insights, lang: Lang): string {
  if (faults.length === 0) return say(lang, "behindNone");
  const behind = faultsBehind(faults);
  const runs = behind[0]?.last_before_loss ?? 0;
  const first = behind
    .filter((one) => one.last_before_loss === runs)
    .map((one) => faultName(one.fault, lang));
  if (first.length === 0) return say(lang, "behindLostNothing");
  if (first.length > 1)
    return say(lang, "behindTied", { faults: first.join(say(lang, "separator")), runs });
  return say(lang, "behindTitle", { fault: first[0] ?? "", runs });
}

/** The cause, or the causes, of most losses among those that were determined. */
export function causesTitle({ causes }: Insights, lang: Lang): string {
  if (causes.length === 0) return say(lang, "causesNone");
  const known = knownCauses(causes);
  const runs = known[0]?.runs ?? 0;
  const first = known.filter((one) => one.runs === runs).map((one) => causeName(one.cause, lang));
  if (first.length === 0) return say(lang, "causesUnknown", { runs: runsOfUnknownCause(causes) });
  if (first.length > 1)
    return say(lang, "causesTied", { causes: first.join(say(lang, "separator")), runs });
  return say(lang, "causesTitle", { cause: first[0] ?? "", runs });
}

/** The lesson, or the number of lessons, with the most shares. */
export function lessonsTitle({ lessons }: Insights, lang: Lang): string {
  const shares = Math.max(0, ...lessons.map((one) => one.shares));
  const first = lessons.filter((one) => one.shares === shares);
  const [one] = first;
  if (one === undefined) return say(lang, "lessonsNone");
  return first.length > 1
    ? say(lang, "lessonsTied", { lessons: first.length, shares })
    : say(lang, "lessonsTitle", { lesson: inLanguage(one.title, lang), shares });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
