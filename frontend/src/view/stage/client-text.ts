/** The responses to producers and consumers as texts, which the page and figures draw as chips. */

import { type Frame, type Lang, type Produced } from "../../trace";
import { word } from "./stage-texts";

export interface RecordChip {
  /**
   * The index of the request in sending order, because a recognized retry has the same record id.
   */
  readonly key: number;
  /** The indexes of all requests that it is about. */
  readonly requests: readonly number[];
  readonly text: string;
  readonly acked: boolean;
  readonly tone: "plain" | "bad" | "warn" | "muted";
  /** The text after the value, and the tick of an acknowledged one. */
  readonly note: string;
  /** The note of a record that is lost or at risk, in its three parts; otherwise null. */
  readonly fate: { readonly before: string; readonly text: string; readonly after: string } | null;
  readonly frame: number | null;
}

export interface ProducerLane {
  readonly name: string;
  /** The number of omitted earlier entries, and whether all of them are acknowledged. */
  readonly earlier: number;
  readonly earlierAcked: boolean;
  readonly chips: readonly RecordChip[];
}

const CHIPS_SHOWN = 24;
/** From this number of chips on, chips in a row that say the same become one. */
const CHIPS_JOINED = 9;

export function producerLanes(
  frame: Frame,
  partition: string,
  lang: Lang,
  depthOf: (frame: number) => number,
): ProducerLane[] {
  const names = new Set([
    ...Object.keys(frame.state.clients.producers).sort(),
    ...frame.state.clients.produced.map((record) => record.as),
  ]);
  const order = new Map(frame.state.clients.produced.map((record, index) => [record, index]));
  return [...names].flatMap((name) => {
    const all = frame.state.clients.produced.filter(
      (record) => record.as === name && record.partition === partition,
    );
    if (all.length === 0) return [];
    // A record that is lost or at risk stays, however long ago it was written.
    const recent = new Set(all.slice(-CHIPS_SHOWN));
    const shown = all.filter((record) => recent.has(record) || (record.fate ?? "safe") !== "safe");
    const left = all.filter((record) => !shown.includes(record));
    return [
      {
        name,
        earlier: left.length,
        earlierAcked: left.every((record) => record.outcome === "acked"),
        chips: joinedChips(
          shown.map((record) => {
            const key = order.get(record) ?? -1;
            return {
              key,
              requests: [key],
              ...recordChip(record, lang, depthOf),
            };
          }),
        ),
      },
    ];
  });
}

/** Of many chips, those in a row that say the same as one, from its first value to its last. */
function joinedChips(chips: readonly RecordChip[]): RecordChip[] {
  if (chips.length < CHIPS_JOINED) return [...chips];
  const runs: RecordChip[][] = [];
  for (const chip of chips) {
    const run = runs[runs.length - 1];
    const [before] = run ?? [];
    if (
      run !== undefined &&
      before?.acked === chip.acked &&
      before.tone === chip.tone &&
      before.note === chip.note
    )
      run.push(chip);
    else runs.push([chip]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    const last = run[run.length - 1];
    return run.length < 4 || first === undefined || last === undefined
      ? run
      : [
          {
            ...last,
            requests: run.flatMap((chip) => chip.requests),
            text: `${first.text} … ${last.text}`,
          },
        ];
  });
}

type ChipText = Omit<RecordChip, "key" | "requests">;

function recordChip(record: Produced, lang: Lang, depthOf: (frame: number) => number): ChipText {
  const { fate, fate_frame: since, acked_frame: acked } = record;
  return fate !== "safe" && since !== null && acked !== null
    ? endangeredChip(record, since, acked, lang, depthOf)
    : outcomeChip(record, lang, depthOf);
}

/** An acknowledged record that is lost or at risk. */
function endangeredChip(
  record: Produced,
  since: number,
  acked: number,
  lang: Lang,
  depthOf: (frame: number) => number,
): ChipText {
  const lost = record.fate === "lost";
  const told = word(lang, "acknowledgedAt", { step: depthOf(acked) });
  const fate = {
    before: `${told}${withAcks(record)} · `,
    text: word(lang, lost ? "lostAt" : "atRiskFrom", { step: depthOf(since) }),
    after: record.lost_frame === since ? "" : lastCopyText(record, lang, depthOf),
  };
  return {
    text: record.value,
    frame: since,
    acked: true,
    tone: lost ? "bad" : "warn",
    note: `${fate.before}${fate.text}${fate.after}`,
    fate,
  };
}

function outcomeChip(record: Produced, lang: Lang, depthOf: (frame: number) => number): ChipText {
  const base = {
    text: record.value,
    frame: record.lost_frame ?? record.acked_frame ?? record.frame,
    acked: record.outcome === "acked",
    fate: null,
  };
  const lastCopy = lastCopyText(record, lang, depthOf);
  switch (record.outcome) {
    case "acked":
      return { ...base, tone: "plain", note: acksText(record) };
    case "failed":
      return { ...base, tone: "warn", note: `${record.error ?? ""}${lastCopy}` };
    case "no_answer":
      return {
        ...base,
        tone: "muted",
        note: `${word(lang, "noResponse")}${withAcks(record)}${lastCopy}`,
      };
    case "pending":
      return {
        ...base,
        tone: "muted",
        note: `${word(lang, "waiting")}${withAcks(record)}${lastCopy}`,
      };
  }
}

/** The setting of a request, unless it is the usual one. */
function acksText({ acks }: Produced): string {
  return ["all", "-1"].includes(String(acks)) ? "" : `acks=${acks}`;
}

function withAcks(record: Produced): string {
  const acks = acksText(record);
  return acks === "" ? "" : `, ${acks}`;
}

function lastCopyText(
  { lost_frame: gone }: Produced,
  lang: Lang,
  depthOf: (frame: number) => number,
): string {
  return gone === null ? "" : ` · ${word(lang, "lastCopyGone", { step: depthOf(gone) })}`;
}

export interface FateFact {
  readonly text: string;
  readonly frame: number;
}

/** Since when records acknowledged with acks=all have this fate, with the steps. */
export function fateFacts(
  frame: Frame,
  fate: "at_risk" | "lost",
  lang: Lang,
  depthOf: (frame: number) => number,
): FateFact[] {
  const promised = frame.state.clients.produced.filter(
    (record) => String(record.acks) === "all" && record.fate === fate,
  );
  const later = (record: Produced): number | null =>
    record.lost_frame === record.fate_frame ? null : record.lost_frame;
  const facts = (
    name: "lostFact" | "atRiskFact" | "lastCopyOf",
    frameOf: (record: Produced) => number | null,
  ): FateFact[] => {
    const byFrame = new Map<number, Set<string>>();
    for (const record of promised) {
      const at = frameOf(record);
      if (at !== null) byFrame.set(at, (byFrame.get(at) ?? new Set<string>()).add(record.value));
    }
    return [...byFrame].map(([at, values]) => ({
      frame: at,
      text: word(lang, name, { step: depthOf(at), values: [...values] }),
    }));
  };
  return [
    ...facts(fate === "lost" ? "lostFact" : "atRiskFact", (record) => record.fate_frame),
    ...(fate === "lost" ? facts("lastCopyOf", later) : []),
  ];
}

export interface ConsumerLane {
  readonly name: string;
  readonly earlier: number;
  readonly read: readonly {
    readonly key: string;
    readonly text: string;
    readonly changed: boolean;
  }[];
  readonly nextOffset: number | null;
}

/** The lanes of one client, with the partition of each. */
export interface ClientLanes<L> {
  readonly name: string;
  readonly parts: readonly { readonly partition: string; readonly lane: L }[];
}

/** The lanes of several partitions, grouped by client. */
export function byClient<L extends { readonly name: string }>(
  partitions: readonly string[],
  lanesOf: (partition: string) => readonly L[],
): ClientLanes<L>[] {
  const clients = new Map<string, { partition: string; lane: L }[]>();
  for (const partition of partitions) {
    for (const lane of lanesOf(partition))
      clients.set(lane.name, [...(clients.get(lane.name) ?? []), { partition, lane }]);
  }
  return [...clients].map(([name, parts]) => ({ name, parts }));
}

export function consumerLanes(frame: Frame, partition: string, lang: Lang): ConsumerLane[] {
  const { consumed, consumers } = frame.state.clients;
  const names = new Set([...Object.keys(consumers).sort(), ...consumed.map((record) => record.as)]);
  return [...names].flatMap((name) => {
    const read = consumed.filter((record) => record.as === name && record.partition === partition);
    const nextOffset = consumers[name]?.[partition] ?? null;
    if (read.length === 0 && nextOffset === null) return [];
    const shown = read.slice(-CHIPS_SHOWN);
    return [
      {
        name,
        earlier: read.length - shown.length,
        nextOffset,
        read: shown.map((record, index) => {
          const instead = record.changed;
          return {
            key: `${index}/${record.offset}`,
            text: textOfRead(record.value, instead, lang),
            changed: instead !== null,
          };
        }),
      },
    ];
  });
}

/** A record that was read and, if the leader has a different one at its offset, the value of that one. */
function textOfRead(value: string, instead: string | null, lang: Lang): string {
  if (instead === null) return value;
  return instead === value
    ? word(lang, "nowAnother", { value })
    : word(lang, "nowAt", { value, now: instead });
}
