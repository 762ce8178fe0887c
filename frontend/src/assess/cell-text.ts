/** Cells and states in words, for the table and for screen readers. */

import { inLanguage, type Lang } from "../language";
import { say } from "languages:assess";
import type { Cell, Failure, Kind } from "../service/assessments";
import { outcomeOf } from "./outcomes";

/** "one broker loses power" */
export function failureText(failure: Failure, lang: Lang): string {
  return say(lang, "failureWhole", {
    failure: say(lang, `failure-${failure}`),
    then: say(lang, `failure-${failure}-then`),
  });
}

/** "payments-3, one broker loses power: can be lost, if 1’s host does" */
export function cellText(partition: string, failure: Failure, cell: Cell, lang: Lang): string {
  const outcome = say(lang, `outcome-${outcomeOf(cell)}`);
  const words = { partition, failure: failureText(failure, lang), outcome };
  const reason = inLanguage(cell.reason, lang);
  return reason === "" ? say(lang, "cellShort", words) : say(lang, "cell", { ...words, reason });
}

/** "can be lost, if 1’s host does" */
export function outcomeText(cell: Cell, lang: Lang): string {
  const reason = inLanguage(cell.reason, lang);
  const outcome = say(lang, `outcome-${outcomeOf(cell)}`);
  return reason === "" ? outcome : `${outcome}${say(lang, "comma")}${reason}`;
}

/** A line about the state of a kind: its first part stands out. */
export interface StateLine {
  readonly strong: string;
  readonly rest: string;
  readonly tone: "bad" | "warn" | "info";
}

function set(brokers: readonly number[]): string {
  return brokers.length === 0 ? "{ }" : `{${brokers.join(", ")}}`;
}

/** Leader, ISR and min.insync.replicas; then what is unusual, in one line. */
export function stateLines(kind: Kind, lang: Lang): readonly StateLine[] {
  const { leader, isr, elr, replicas, min_insync_replicas: min } = kind;
  const minimum = ` · min ${String(min)}`;
  const named = `ISR ${set(isr)}`;
  const eligible = elr.length === 0 ? [] : [`ELR ${set(elr)}`];
  const lines: StateLine[] = [];
  if (leader < 0) {
    lines.push({ strong: say(lang, "noLeader"), rest: minimum, tone: "bad" });
    lines.push({ strong: "", rest: [named, ...eligible].join(" · "), tone: "info" });
  } else if (isr.length === 1 && replicas.length > 1) {
    const strong = say(lang, "leaderIs", { leader });
    lines.push({ strong, rest: ` · ${named}${minimum}`, tone: "info" });
  } else {
    const strong = say(lang, "isrOf", { isr: isr.length, replicas: replicas.length });
    lines.push({ strong, rest: minimum, tone: "info" });
  }
  // The lines above have these.
  const notes = kind.notes.filter(({ code }) => code !== "no_leader" && code !== "eligible");
  const told = [
    ...(leader < 0 ? [] : eligible),
    ...notes.map(({ text }) => inLanguage(text, lang)),
  ];
  if (told.length > 0) {
    const tone = (["bad", "warn"] as const).find((one) =>
      notes.some(({ severity }) => severity === one),
    );
    lines.push({
      strong: "",
      rest: told.join(say(lang, "stateSeparator")),
      tone: tone ?? "info",
    });
  }
  return lines;
}

/** The same as one text. */
export function stateText(kind: Kind, lang: Lang): string {
  return stateLines(kind, lang)
    .map(({ strong, rest }) => `${strong}${rest}`)
    .join(say(lang, "stateSeparator"));
}
