/** A campaign's numbers, settings and headlines in words. */

import { languageOf } from "../language";
import { say } from "languages:insights";
import type { CampaignSummary } from "../service/api";
import type { Lang } from "../trace";
import {
  columnOf,
  settingAxes,
  type Cell,
  type Column,
  type Opening,
  type Term,
  type Value,
} from "./campaign";

export type Headline = CampaignSummary["headlines"][number];
type Word = Parameters<typeof say>[1];

/** A proportion in per cent, with a sensible precision. */
export function share(value: number | null, lang: Lang): string {
  if (value === null) return "–";
  const digits = value !== 0 && Math.abs(value) < 0.1 ? 1 : 0;
  return new Intl.NumberFormat(languageOf(lang).formats, {
    style: "percent",
    signDisplay: "negative",
    maximumFractionDigits: digits,
    minimumFractionDigits: 0,
  }).format(value);
}

export function number(value: number, lang: Lang): string {
  return new Intl.NumberFormat(
    languageOf(lang).formats,
    value >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  ).format(value);
}

/** A number of runs: every digit of it. */
export function count(runs: number, lang: Lang): string {
  return new Intl.NumberFormat(languageOf(lang).formats).format(runs);
}

/** A time in ms, formatted in a suitable unit. */
export function duration(ms: number, lang: Lang): string {
  return ms < 1000
    ? say(lang, "milliseconds", { ms: number(ms, lang) })
    : say(lang, "seconds", { seconds: number(ms / 1000, lang) });
}

const ELR = "eligible.leader.replicas.version";

export function axisName(axis: string, lang: Lang): string {
  const word = NAMES[axis];
  return word === undefined ? axis : say(lang, word);
}

const NAMES: Readonly<Record<string, Word>> = {
  kafka: "kafkaAxis",
  control: "controlAxis",
  [ELR]: "elrAxis",
};

/** A value of an axis. Level 1 of a feature means that it is on. */
export function valueText(axis: string, value: Value, lang: Lang): string {
  // Kafka's value for "never" is the largest number.
  if (typeof value === "number" && value > Number.MAX_SAFE_INTEGER)
    return say(lang, "settingNever");
  if (typeof value === "boolean" || axis === ELR)
    return say(lang, value === true || value === 1 ? "settingOn" : "settingOff");
  if (value === "zookeeper") return "ZooKeeper";
  return value === "kraft" ? "KRaft" : String(value);
}

/** A release as the campaign ran it: "4.1", "KRaft, ELR on", and of that "ELR on". */
export function releaseText(
  { kafka, control, features }: Column,
  lang: Lang,
): { readonly name: string; readonly kind: string; readonly levels: string } {
  const levels = features.map(
    ({ name, level }) => `${axisShortName(name, lang)} ${valueText(name, level, lang)}`,
  );
  const separator = say(lang, "separator");
  return {
    name: kafka,
    kind: [valueText("control", control, lang), ...levels].join(separator),
    levels: levels.join(separator),
  };
}

/** The settings that distinguish a cell from others: "Kafka 3.9 KRaft, acks=all". */
export function settingsText(
  summary: CampaignSummary,
  cell: Cell,
  lang: Lang,
  withRelease = true,
): string {
  return settingParts(summary, cell, lang)
    .slice(withRelease ? 0 : 1)
    .join(say(lang, "separator"));
}

/** The release of a cell, then its setting on each axis: in the same order for every cell. */
function settingParts(summary: CampaignSummary, cell: Cell, lang: Lang): string[] {
  const { name, kind } = releaseText(columnOf(summary, cell), lang);
  const parts = settingAxes(summary).map(
    (axis) => `${axisShortName(axis, lang)}=${valueText(axis, cell.settings[axis] as Value, lang)}`,
  );
  return [`${say(lang, "kafkaAxis")} ${name} ${kind}`, ...parts];
}

/** The settings of each cell that the survival headlines compare: the best and the worst, perhaps the same. */
function survivalParts(summary: CampaignSummary, lang: Lang): string[][] {
  const compared = summary.headlines
    .filter(({ kind }) => kind === "survival")
    .map(({ cells }) => cells?.[0]);
  return summary.cells
    .filter(({ cell }) => compared.includes(cell))
    .map((cell) => settingParts(summary, cell, lang));
}

/** The settings by which a cell differs from the others of the survival headlines; all if there are no others. */
function differenceText(summary: CampaignSummary, cell: Cell, lang: Lang): string {
  const compared = survivalParts(summary, lang);
  const differing = settingParts(summary, cell, lang).filter((part, place) =>
    compared.some((parts) => parts[place] !== part),
  );
  return differing.length === 0
    ? settingsText(summary, cell, lang)
    : differing.join(say(lang, "separator"));
}

/** The settings that the cells of the survival headlines have in common; null if there is nothing to add to these. */
export function survivalCommonText(summary: CampaignSummary, lang: Lang): string | null {
  const [first = [], ...others] = survivalParts(summary, lang);
  const common = first.filter((part, place) => others.every((parts) => parts[place] === part));
  if (others.length === 0 || common.length === 0) return null;
  return say(lang, "survivalCommon", { settings: common.join(say(lang, "separator")) });
}

export function kindName(kind: string, lang: Lang): string {
  return say(lang, `kind-${kind}` as Word);
}

/** How often a fault is expected, and its mean duration. */
export function assumptionText(
  { scope, rates, duration_ms }: CampaignSummary["faults"][number],
  lang: Lang,
): string {
  return say(lang, `faultRate-${scope}`, {
    rate: rates.map((rate) => number(rate, lang)).join(say(lang, "separator")),
    duration: duration(duration_ms, lang),
  });
}

/** The fault, or the faults, that happened in most runs. */
export function faultModelTitle(summary: CampaignSummary, lang: Lang): string {
  const runs = Math.max(0, ...summary.faults.map((one) => one.runs));
  const first = summary.faults
    .filter((one) => one.runs === runs)
    .map((one) => kindName(one.kind, lang));
  if (runs === 0) return say(lang, "faultsTitleNone");
  const numbers = { runs: count(runs, lang), all: count(summary.runs, lang) };
  if (first.length > 1)
    return say(lang, "faultsTitleTied", { ...numbers, faults: first.join(say(lang, "separator")) });
  return say(lang, "faultsTitle", { ...numbers, fault: first[0] ?? "" });
}

export function causeName(cause: string, lang: Lang): string {
  return say(lang, `cause-${cause}` as Word);
}

/** A button that opens a run. */
export function openingText(opening: Opening, lang: Lang): string {
  if (opening.kind === "row") return say(lang, "openRow");
  return say(lang, "mineOpen", {
    cause: causeName(opening.example.cause, lang),
    steps: opening.example.steps,
  });
}

/** The short name of an axis. */
export function axisShortName(axis: string, lang: Lang): string {
  const word = SHORT[axis];
  return word === undefined ? axisName(axis, lang) : say(lang, word);
}

const SHORT: Readonly<Record<string, Word>> = {
  replication_factor: "short-replicas",
  "min.insync.replicas": "short-minIsr",
  "log.flush.interval.messages": "short-flush",
  "unclean.leader.election.enable": "short-unclean",
  [ELR]: "short-elr",
  budget: "short-budget",
};

/** The label of a row in the forest plot. */
export function termText(term: Term, lang: Lang): string {
  if (term.kind === "fault") return kindName(term.name, lang);
  return say(lang, "termNot", {
    axis: axisName(term.name, lang),
    value: valueText(term.name, term.value ?? "", lang),
    reference: valueText(term.name, term.reference ?? "", lang),
  });
}

/** A headline in words. */
export function headlineText(summary: CampaignSummary, headline: Headline, lang: Lang): string {
  return HEADLINES[headline.kind](headline, lang, summary);
}

/** Whether there is a sentence for a headline of this kind: another version may know more. */
export function isHeadlineKind(kind: string): kind is Headline["kind"] {
  return Object.hasOwn(HEADLINES, kind);
}

type HeadlineText = (headline: Headline, lang: Lang, summary: CampaignSummary) => string;

const HEADLINES: Readonly<Record<Headline["kind"], HeadlineText>> = {
  never_lost: neverLostText,
  changed: changedText,
  undecided: (headline, lang) => say(lang, "headline-undecided", effectNumbers(headline, lang)),
  no_difference: (headline, lang) =>
    headline.about === "forest"
      ? say(lang, "headline-noEffect")
      : say(lang, "headline-no_difference", effectNumbers(headline, lang)),
  survival: survivalText,
  odds: oddsText,
  too_few_runs: (headline, lang) =>
    say(lang, "headline-too_few_runs", { number: headline.number ?? 0 }),
};

function effectNumbers({ axis, number: amount, high }: Headline, lang: Lang) {
  return {
    axis: axisName(axis ?? "", lang),
    number: amount ?? 0,
    high: share(high ?? 0, lang),
  };
}

function neverLostText(headline: Headline, lang: Lang): string {
  const high = share(headline.high ?? 0, lang);
  const settings = Object.entries(headline.settings ?? {}).map(
    ([name, value]) => `${axisName(name, lang)}=${valueText(name, value, lang)}`,
  );
  if (settings.length === 0) return say(lang, "headline-neverLostAnywhere", { high });
  return say(lang, "headline-never_lost", {
    settings: settings.join(say(lang, "separator")),
    high,
  });
}

/** A change, and what else differs on average if that is known. */
function changedText(headline: Headline, lang: Lang): string {
  const axis = headline.axis ?? "";
  const [from = "", to = ""] = headline.values ?? [];
  const change = say(lang, headline.direction === "fell" ? "headline-fell" : "headline-rose", {
    axis: axisName(axis, lang),
    from: valueText(axis, from, lang),
    to: valueText(axis, to, lang),
    number: headline.number ?? 0,
  });
  const [before, after] = headline.averages ?? [];
  if (before === undefined || after === undefined) return change;
  return say(lang, "headline-because", {
    change,
    faults: number(after.faults, lang),
    faultsBefore: number(before.faults, lang),
    writable: share(after.writable, lang),
    writableBefore: share(before.writable, lang),
    lost: share(after.lost_of_acked, lang),
    lostBefore: share(before.lost_of_acked, lang),
  });
}

function survivalText(headline: Headline, lang: Lang, summary: CampaignSummary): string {
  const cell = summary.cells.find((one) => one.cell === headline.cells?.[0]);
  return say(lang, "headline-survival", {
    faults: Number(headline.values?.[0] ?? 0),
    share: share(headline.number ?? 0, lang),
    settings: cell === undefined ? "" : differenceText(summary, cell, lang),
    low: share(headline.low ?? 0, lang),
    high: share(headline.high ?? 0, lang),
  });
}

function oddsText(headline: Headline, lang: Lang, summary: CampaignSummary): string {
  const value = headline.values?.[0];
  const term = summary.odds.terms.find(
    (one) => one.name === headline.name && (value === undefined || one.value === value),
  );
  return say(lang, "headline-odds", {
    term: term === undefined ? String(headline.name) : termText(term, lang),
    number: number(headline.number ?? 0, lang),
    low: number(headline.low ?? 0, lang),
    high: number(headline.high ?? 0, lang),
  });
}
