/** The messages of a moment with their fields, as the engine's documents have them. */

import type { Word } from "languages:run";
import { formatValue, type Frame, type Message } from "../trace";

type Fate = Frame["moves"][number]["fate"];

export interface MessageOfMoment {
  readonly id: number;
  readonly sent: Pick<Message, "kind" | "from" | "to" | "partition" | "numbers">;
  /** What happened to it in the frame; null if it is in flight. */
  readonly fate: Fate | null;
}

interface Field {
  readonly word: Word;
  /** The id of its term in the glossary. */
  readonly term: string | null;
}

/** Its name and its term by the name in the document. `values` are the records of `records`. */
const FIELDS: Readonly<Record<string, Field>> = {
  error: { word: "fieldError", term: null },
  fetch_offset: { word: "fieldFetchOffset", term: "offset" },
  which: { word: "fieldWhich", term: null },
  offset: { word: "fieldOffset", term: "offset" },
  records: { word: "fieldRecords", term: "record" },
  high_watermark: { word: "fieldHighWatermark", term: "high-watermark" },
  epoch: { word: "fieldAskedEpoch", term: "leader-epoch" },
  answer_epoch: { word: "fieldAnswerEpoch", term: "leader-epoch" },
  diverging_epoch: { word: "fieldDivergingEpoch", term: "divergence" },
  end_offset: { word: "fieldEndOffset", term: "offset" },
  leader: { word: "fieldLeader", term: "leader" },
  leader_epoch: { word: "fieldLeaderEpoch", term: "leader-epoch" },
  last_fetched_epoch: { word: "fieldLastFetchedEpoch", term: "leader-epoch" },
  isr: { word: "fieldIsr", term: "ISR" },
  partition_epoch: { word: "fieldPartitionEpoch", term: "partition-epoch" },
  broker_epoch: { word: "fieldBrokerEpoch", term: "broker-epoch" },
  controller_epoch: { word: "fieldControllerEpoch", term: "controller-epoch" },
  metadata_offset: { word: "fieldMetadataOffset", term: "metadata-log" },
  max_wait_ms: { word: "fieldMaxWait", term: "long-poll" },
};

export interface ShownField extends Field {
  readonly value: string;
}

/** The fields of a message that have a value. Those that the release does not have are absent. */
export function fieldsOf({ numbers }: MessageOfMoment["sent"]): ShownField[] {
  // Of a command about several partitions, each is named with its state.
  const several = Array.isArray(numbers.partitions) && numbers.partitions.length > 1;
  return Object.entries(FIELDS).flatMap(([name, field]) => {
    const value = name === "records" ? (numbers.values ?? numbers.records) : numbers[name];
    const isOfOne = name === "leader" || name === "leader_epoch" || name === "isr";
    if (value === null || value === undefined || (several && isOfOne)) return [];
    if (Array.isArray(value) && name !== "isr" && value.length === 0)
      return [{ ...field, value: "0" }];
    const text = formatValue(value, ", ");
    return [{ ...field, value: name === "isr" ? `{${text}}` : text }];
  });
}

/**
 * The messages that were sent, arrived or were lost in a frame of a branch, if `moved`, and those in
 * flight. What arrives was sent in an earlier frame.
 */
export function messagesAt(
  frames: readonly Frame[],
  index: number,
  { moved }: { readonly moved: boolean },
): MessageOfMoment[] {
  const frame = frames[index];
  if (frame === undefined) return [];
  const moves = moved ? frame.moves : [];
  const last = new Map(moves.map(({ id, fate }) => [id, fate]));
  const found = [...last].flatMap(([id, fate]): MessageOfMoment[] => {
    const sent = sentBefore(frames, index, id);
    return sent === undefined ? [] : [{ id, sent, fate }];
  });
  const flying = frame.state.in_flight.filter(({ id }) => !last.has(id));
  return [...found, ...flying.map((sent) => ({ id: sent.id, sent, fate: null }))];
}

function sentBefore(
  frames: readonly Frame[],
  index: number,
  id: number,
): MessageOfMoment["sent"] | undefined {
  for (let at = index; at >= 0; at--) {
    const sent = frames[at]?.moves.find((move) => move.id === id && move.message !== undefined);
    if (sent?.message !== undefined) return sent.message;
  }
  return frames[0]?.state.in_flight.find((message) => message.id === id);
}
