/**
 * The values of a produce: those that are entered, or one that is counted up. Their number is shown
 * in a field of its form, and derived from the values until it is entered.
 */

import type { Lang } from "../trace";
import { say } from "languages:actions";
import type { StepForm } from "../service/api";

/** The key of the field with the number of values, which is no argument of the step. */
export const COUNT = "count";

/** The contents of that field; null until it is edited. */
export type EnteredCount = string | null;

function valuesIn(text: string): string[] {
  return text.split(/[\s,，]+/).filter((value) => value !== "");
}

/** The contents of the field: as entered, otherwise the number of the entered values. */
export function shownCount(text: string, count: EnteredCount): string {
  return count ?? String(Math.max(1, valuesIn(text).length));
}

/** The values of a field: the entered ones, or a single one counted up. */
export function valuesFrom(text: string, count: EnteredCount): string[] {
  const values = valuesIn(text);
  const [only] = values;
  const wanted = Number(shownCount(text, count));
  if (only === undefined || values.length > 1 || wanted <= 1) return values;
  const [, stem, number] = /^(.*?)(\d*)$/.exec(only) ?? [];
  const first = number === undefined || number === "" ? 1 : Number(number);
  return Array.from({ length: wanted }, (_, place) => `${stem ?? only}${first + place}`);
}

/** The error of an entered number, by its field; empty if it can be used. The service cannot report it, because it receives only the values. */
export function wrongCount(
  form: StepForm,
  filled: Readonly<Record<string, string>>,
  count: EnteredCount,
  lang: Lang,
): Readonly<Record<string, string>> {
  const argument = form.arguments.find(({ kind }) => kind === "values");
  if (argument === undefined || count === null) return {};
  const entered = count.trim();
  const [least, most] = [argument.minimum ?? 1, argument.maximum ?? Infinity];
  if (!/^\d+$/.test(entered) || Number(entered) < least || Number(entered) > most)
    return { [COUNT]: say(lang, "countWrong", { least, most }) };
  const values = valuesIn(filled[argument.name] ?? "").length;
  return values > 1 && values !== Number(entered)
    ? { [COUNT]: say(lang, "countDiffers", { count: values }) }
    : {};
}
