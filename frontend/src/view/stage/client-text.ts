/** What producers and consumers were told, in words; drawn as chips by the page and by figures. */

import type { Frame, Lang, Produced } from "../../trace";
import { word } from "./words";

export interface RecordChip {
  /** The place of the request in the order of sending: a retry that is recognised has the record's id a second time. */
  readonly key: number;
  readonly text: string;
  readonly acked: boolean;
  readonly tone: "plain" | "bad" | "warn" | "muted";
  /** What follows the value, and the tick of an acknowledged one. */
  readonly note: string;
  readonly frame: number | null;
}

export interface ProducerLane {
  readonly name: string;
  /** How many before these are left out, and whether all of them are acknowledged. */
  readonly earlier: number;
  readonly earlierAcked: boolean;
  readonly chips: readonly RecordChip[];
}

const CHIPS_SHOWN = 24;

export function producerLanes(frame: Frame, partition: string, lang: Lang, depthOf: (frame: number) => number): ProducerLane[] {
  const names = new Set([
    ...Object.keys(frame.state.clients.producers).sort(),
    ...frame.state.clients.produced.map((record) => record.as),
  ]);
  const order = new Map(frame.state.clients.produced.map((record, index) => [record, index]));
  const withoutLeader = withoutLeaderSince(frame);
  return [...names].flatMap((name) => {
    const all = frame.state.clients.produced.filter((record) => record.as === name && record.partition === partition);
    if (all.length === 0) return [];
    const givenUp = (record: Produced) => withoutLeader.get(record.id) ?? null;
    // A lost record stays, however long ago it was written.
    const recent = new Set(all.slice(-CHIPS_SHOWN));
    const shown = all.filter((record) => recent.has(record) || (record.outcome === "acked" && (record.lost_frame ?? givenUp(record)) !== null));
    const left = all.filter((record) => !shown.includes(record));
    return [
      {
        name,
        earlier: left.length,
        earlierAcked: left.every((record) => record.outcome === "acked"),
        chips: shown.map((record) => ({ key: order.get(record) ?? -1, ...recordChip(record, givenUp(record), lang, depthOf) })),
      },
    ];
  });
}

function recordChip(record: Produced, givenUpFrame: number | null, lang: Lang, depthOf: (frame: number) => number): Omit<RecordChip, "key"> {
  const goneFrame = record.lost_frame ?? givenUpFrame;
  const base = { text: record.value, frame: goneFrame ?? record.acked_frame ?? record.frame };
  const acks = String(record.acks) === "all" || String(record.acks) === "-1" ? "" : `acks=${record.acks}`;
  const withAcks = acks === "" ? "" : `, ${acks}`;
  const fate = [
    ...(givenUpFrame === null ? [] : [word(lang, "noLeaderHasIt", { step: depthOf(givenUpFrame) })]),
    ...(record.lost_frame === null ? [] : [word(lang, "lastCopyGone", { step: depthOf(record.lost_frame) })]),
  ].join(" · ");
  if (record.outcome === "acked" && goneFrame !== null) {
    const told = record.acked_frame === null ? word(lang, "acknowledged") : word(lang, "acknowledgedAt", { step: depthOf(record.acked_frame) });
    return { ...base, acked: true, tone: "bad", note: `${told}${withAcks} · ${fate}` };
  }
  const gone = fate === "" ? "" : ` · ${fate}`;
  switch (record.outcome) {
    case "acked":
      return { ...base, acked: true, tone: "plain", note: acks };
    case "failed":
      return { ...base, acked: false, tone: "warn", note: (record.error ?? "") + gone };
    case "no_answer":
      return { ...base, acked: false, tone: "muted", note: word(lang, "noAnswer") + withAcks + gone };
    case "pending":
      return { ...base, acked: false, tone: "muted", note: word(lang, "waiting") + withAcks + gone };
  }
}

/**
 * Records that were acknowledged with acks=all and that no replica that may lead has any more, with
 * the frame since when: that of `NoAckedRecordLost`. Copies may still lie on brokers that are down,
 * so the last copy goes in that frame or in a later one, `lost_frame`.
 */
function withoutLeaderSince({ properties }: Frame): ReadonlyMap<Produced["id"], number> {
  const lost = properties.NoAckedRecordLost;
  const first = lost?.status === "violated" ? lost.first_frame : null;
  return new Map(first === null || first === undefined ? [] : (lost?.evidence.records ?? []).map((record) => [record.id, first]));
}

export interface LossFact {
  readonly text: string;
  readonly frame: number;
}

/** When the loss of acknowledged records began and when it was complete, each fact with its step. */
export function lossFacts(frame: Frame, lang: Lang, depthOf: (frame: number) => number): LossFact[] {
  const since = withoutLeaderSince(frame);
  const lost = frame.state.clients.produced.filter((record) => since.has(record.id) && record.outcome === "acked");
  const facts = (name: "noLeaderHas" | "lastCopyOf", frameOf: (record: Produced) => number | null): LossFact[] => {
    const byFrame = new Map<number, string[]>();
    for (const record of lost) {
      const at = frameOf(record);
      if (at !== null) byFrame.set(at, [...(byFrame.get(at) ?? []), record.value]);
    }
    return [...byFrame].map(([at, values]) => ({ frame: at, text: word(lang, name, { step: depthOf(at), values: values.join(", ") }) }));
  };
  return [...facts("noLeaderHas", (record) => since.get(record.id) ?? null), ...facts("lastCopyOf", (record) => record.lost_frame)];
}

export interface ConsumerLane {
  readonly name: string;
  readonly earlier: number;
  readonly read: readonly { readonly key: string; readonly text: string; readonly changed: boolean }[];
  readonly nextOffset: number | null;
}

export function consumerLanes(frame: Frame, partition: string, lang: Lang): ConsumerLane[] {
  const { consumed, consumers } = frame.state.clients;
  const names = new Set([...Object.keys(consumers).sort(), ...consumed.map((record) => record.as)]);
  const leader = frame.state.partitions[partition]?.leader ?? -1;
  const log = frame.state.replicas[partition]?.[String(leader)]?.log ?? [];
  const now = new Map(log.map((record) => [record.offset, record.value]));
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
          const value = now.get(record.offset);
          const changed = value !== undefined && value !== record.value;
          return { key: `${index}/${record.offset}`, text: changed ? word(lang, "nowAt", { value: record.value, now: value }) : record.value, changed };
        }),
      },
    ];
  });
}
