/** The records that a violated property names: where they can be seen. */

import { recordsCut } from "../../layout/replica-row";
import type { Frame, Property } from "../../trace";
import type { Selection } from "./props";

export interface Witness {
  readonly values: string;
  /** The records on every replica that has them, and where they were just cut. */
  readonly selection: Selection;
  /** The frame in which they went, where no replica has any of them now; null while there is something to see. */
  readonly goneIn: number | null;
}

/** Null where the property names no records. */
export function witnessOf(frame: Frame, { evidence, first_frame: first }: Property): Witness | null {
  const { partition, offsets = [], records = [] } = evidence;
  if (partition === undefined || records.length === 0 || offsets.length === 0) return null;
  const ids = records.map((record) => record.id);
  const replicas = Object.entries(frame.state.replicas[partition] ?? {}).map(([broker, replica]) => ({
    broker: Number(broker),
    records: [...replica.log, ...recordsCut(frame, partition, Number(broker))],
  }));
  const seen = replicas.some((replica) => replica.records.some((record) => ids.includes(record.id)));
  const went = frame.state.clients.produced.flatMap((record) => (record.id !== null && ids.includes(record.id) && record.lost_frame !== null ? [record.lost_frame] : []));
  return {
    values: records.map((record) => record.value).join(", "),
    selection: { kind: "evidence", partition, replicas: replicas.map(({ broker }) => broker), offsets, ids },
    goneIn: seen ? null : went.length > 0 ? Math.max(...went) : first,
  };
}

/** The values of acknowledged records that one replica alone has, of partitions that have several. */
export function onOneReplica(frame: Frame): string[] {
  const lone = frame.state.clients.produced.filter(
    (record) =>
      record.outcome === "acked" && record.fate !== "lost" && record.copies?.length === 1 && (frame.state.partitions[record.partition]?.replicas.length ?? 0) > 1,
  );
  // A retry of an idempotent producer is about the same record.
  return lone.filter((record, at) => lone.findIndex((other) => other.id === record.id) === at).map((record) => record.value);
}
