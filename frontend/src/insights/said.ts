/** A campaign's numbers, settings and findings in words. */

import { languageOf } from "../language";
import { say } from "../messages/insights";
import type { CampaignSummary } from "../service/api";
import type { Lang } from "../trace";
import { settingAxes, type Cell, type Term, type Value } from "./campaign";

export type Finding = CampaignSummary["findings"][number];
type Word = Parameters<typeof say>[1];

/** A share as per cent, as exactly as it is worth telling. */
export function share(value: number | null, lang: Lang): string {
  if (value === null) return "–";
  const digits = value > 0 && value < 0.1 ? 1 : 0;
  return new Intl.NumberFormat(languageOf(lang).formats, { style: "percent", maximumFractionDigits: digits, minimumFractionDigits: 0 }).format(value);
}

export function number(value: number, lang: Lang): string {
  return new Intl.NumberFormat(languageOf(lang).formats, value >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 }).format(value);
}

/** A time in ms, in the unit that reads best. */
export function duration(ms: number, lang: Lang): string {
  return ms < 1000 ? say(lang, "milliseconds", { ms: number(ms, lang) }) : say(lang, "seconds", { seconds: number(ms / 1000, lang) });
}

export function axisName(axis: string, lang: Lang): string {
  if (axis === "kafka") return say(lang, "kafkaAxis");
  return axis === "control" ? say(lang, "controlAxis") : axis;
}

export function valueText(value: Value, lang: Lang): string {
  // Kafka says "never" by the largest number that it has.
  if (typeof value === "number" && value > Number.MAX_SAFE_INTEGER) return say(lang, "settingNever");
  if (typeof value === "boolean") return say(lang, value ? "settingOn" : "settingOff");
  if (value === "zookeeper") return "ZooKeeper";
  return value === "kraft" ? "KRaft" : String(value);
}

/** The settings by which a cell differs from others: "Kafka 3.9, acks=all". */
export function settingsText(summary: CampaignSummary, cell: Cell, lang: Lang, withRelease = true): string {
  const parts = settingAxes(summary).map((axis) => `${axis}=${valueText(cell.settings[axis] as Value, lang)}`);
  const release = `${say(lang, "kafkaAxis")} ${String(cell.settings.kafka)} ${valueText(cell.settings.control as Value, lang)}`;
  return (withRelease ? [release, ...parts] : parts).join(", ");
}

export function kindName(kind: string, lang: Lang): string {
  return say(lang, `kind-${kind}` as Word);
}

export function causeName(cause: string, lang: Lang): string {
  return say(lang, `cause-${cause}` as Word);
}

/** What a row of the forest is about. */
export function termText(term: Term, lang: Lang): string {
  if (term.kind === "fault") return kindName(term.name, lang);
  return say(lang, "termNot", { axis: axisName(term.name, lang), value: valueText(term.value ?? "", lang), reference: valueText(term.reference ?? "", lang) });
}

/** A finding as a headline. */
export function findingText(summary: CampaignSummary, finding: Finding, lang: Lang): string {
  const { kind, values, cells } = finding;
  const low = finding.low ?? 0;
  const high = finding.high ?? 0;
  const cell = summary.cells.find((one) => one.cell === cells?.[0]);
  const axis = axisName(finding.axis ?? "", lang);
  const amount = finding.number ?? 0;
  switch (kind) {
    case "never_lost": {
      const settings = Object.entries(finding.settings ?? {}).map(([name, value]) => `${axisName(name, lang)}=${valueText(value, lang)}`);
      if (settings.length === 0) return say(lang, "finding-neverLostAnywhere", { high: share(high, lang) });
      return say(lang, "finding-never_lost", { settings: settings.join(", "), high: share(high, lang) });
    }
    case "changed":
      return say(lang, finding.direction === "fell" ? "finding-fell" : "finding-rose", { axis, from: valueText(values?.[0] ?? "", lang), to: valueText(values?.[1] ?? "", lang), number: amount });
    case "no_difference":
      return finding.about === "forest" ? say(lang, "finding-noEffect") : say(lang, "finding-no_difference", { axis, number: amount });
    case "survival":
      return say(lang, "finding-survival", {
        faults: Number(values?.[0] ?? 0),
        share: share(amount, lang),
        settings: cell === undefined ? "" : settingsText(summary, cell, lang),
        low: share(low, lang),
        high: share(high, lang),
      });
    case "odds": {
      const term = summary.odds.terms.find((one) => one.name === finding.name && (values?.length ? one.value === values[0] : true));
      return say(lang, "finding-odds", { term: term === undefined ? String(finding.name) : termText(term, lang), number: number(amount, lang), low: number(low, lang), high: number(high, lang) });
    }
    case "too_few_runs":
      return say(lang, "finding-too_few_runs", { number: amount });
  }
}
