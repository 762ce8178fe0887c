/** The positions of the records that a violated property names. */

import { listed } from "../../language";
import { recordsCut } from "../../layout/log-cells";
import { type Fate, type Frame, type Lang, type Produced, type Property } from "../../trace";
import type { Selection } from "./stage-props";
import { word } from "./stage-texts";

type RecordEvidence = NonNullable<Property["evidence"]["records"]>[number];

export interface EvidenceRecords {
  readonly values: readonly string[];
  /** The records on every replica that has them, and where they were just truncated. */
  readonly selection: Selection;
  /** The frame in which they were lost, if no replica has any of them; otherwise null. */
  readonly goneIn: number | null;
}

/** For each partition in which the property names records. */
export function evidenceRecordsOf(
  frame: Frame,
  { evidence, first_frame: first }: Property,
): EvidenceRecords[] {
  const { partition, records = [], elsewhere = {} } = evidence;
  if (partition === undefined || records.length === 0) return [];
  return [
    recordsIn(frame, partition, records, evidence.offsets ?? [], first),
    ...Object.entries(elsewhere).map(([other, there]) =>
      recordsIn(
        frame,
        other,
        there,
        there.map(({ offset }) => offset),
        first,
      ),
    ),
  ];
}

function recordsIn(
  frame: Frame,
  partition: string,
  records: readonly RecordEvidence[],
  offsets: readonly number[],
  first: number | null,
): EvidenceRecords {
  const ids = records.map((record) => record.id);
  const replicas = Object.entries(frame.state.replicas[partition] ?? {}).map(
    ([broker, replica]) => ({
      broker: Number(broker),
      records: [...replica.log, ...recordsCut(frame, partition, Number(broker))],
    }),
  );
  const seen = replicas.some((replica) =>
    replica.records.some((record) => ids.includes(record.id)),
  );
  const went = frame.state.clients.produced.flatMap((record) =>
    record.id !== null && ids.includes(record.id) && record.lost_frame !== null
      ? [record.lost_frame]
      : [],
  );
  return {
    values: records.map((record) => record.value),
    selection: {
      kind: "offsets",
      partition,
      replicas: replicas.map(({ broker }) => broker),
      offsets,
      ids,
    },
    goneIn: seen ? null : went.length > 0 ? Math.max(...went) : first,
  };
}

/** The values of all records that a violated property names. */
export function evidenceValues({ evidence }: Property): string[] {
  const records = [...(evidence.records ?? []), ...Object.values(evidence.elsewhere ?? {}).flat()];
  return [...new Set(records.map((record) => record.value))];
}

/** Values as a list; of more than three, the first two and the number of the others. */
export function valuesText(values: readonly string[], lang: Lang): string {
  return values.length > 3
    ? word(lang, "valuesAndMore", { values: values.slice(0, 2), count: values.length - 2 })
    : listed(lang, values);
}

/**
 * The values of acknowledged records that only one replica has, in partitions with several
 * replicas.
 */
export function onOneReplica(frame: Frame): string[] {
  const lone = frame.state.clients.produced.filter(
    (record) =>
      record.outcome === "acked" &&
      record.fate !== "lost" &&
      record.copies.length === 1 &&
      (frame.state.partitions[record.partition]?.replicas.length ?? 0) > 1,
  );
  return valuesOf(lone);
}

/**
 * The values of acknowledged records with this fate for which Kafka promises nothing, because they
 * were acknowledged with less than acks=all. The properties leave them out.
 */
export function unpromised(frame: Frame, fate: Fate): string[] {
  return valuesOf(
    frame.state.clients.produced.filter(
      (record) => String(record.acks) !== "all" && record.fate === fate,
    ),
  );
}

/** The values of records; a retry of an idempotent producer is about the same record. */
function valuesOf(records: readonly Produced[]): string[] {
  return records
    .filter(
      (record, at) =>
        record.id === null || records.findIndex((other) => other.id === record.id) === at,
    )
    .map((record) => record.value);
}
