/**
 * The stage's texts, which name the drawn items. The engine's catalogue has the texts of events.
 */

import texts, { say as word, type Word } from "languages:stage";

import type { BeliefLabel } from "../../layout/flag-band";
import { fill, formatValue, languageOf, messageOf, placeholders, type Lang } from "../../language";
import {
  messageName,
  type Catalogue,
  type Endpoint,
  type Message,
  type TraceEvent,
} from "../../trace";

export { word, type Word };

/** Parts joined into one phrase. */
export function joined(
  lang: Lang,
  parts: readonly string[],
  separator: "comma" | "colon" | "stop" = "comma",
): string {
  return parts.filter((part) => part !== "").join(word(lang, `separator-${separator}`));
}

/** A set, as notation: the same in every language. */
export function set(members: readonly (number | string)[]): string {
  return `{${members.join(", ")}}`;
}

/** One end of a link. */
export function linkEnd(end: Endpoint, lang: Lang): string {
  return end === "controller" ? word(lang, "controllerReceiver") : String(end);
}

/** Kafka's names of the messages. */
const API_NAMES: Readonly<Record<string, string>> = {
  fetch_request: "Fetch",
  fetch_response: "Fetch",
  offsets_for_leader_epoch_request: "OffsetsForLeaderEpoch",
  offsets_for_leader_epoch_response: "OffsetsForLeaderEpoch",
  list_offsets_request: "ListOffsets",
  list_offsets_response: "ListOffsets",
  leader_and_isr: "LeaderAndIsr",
  stop_replica: "StopReplica",
  update_metadata: "UpdateMetadata",
  metadata_record: "PartitionChangeRecord",
  alter_partition_request: "AlterPartition",
  alter_partition_response: "AlterPartition",
  isr_change_notification: "isr_change_notification",
  heartbeat: "BrokerHeartbeat",
  heartbeat_response: "BrokerHeartbeat",
};

/** The label of a message if it has all the values for it; otherwise the name of its kind. */
export function messageTitle(
  catalogue: Catalogue,
  message: Message,
  lang: Lang,
  partition: string,
): string {
  const { kind, numbers } = message;
  if (typeof numbers.error === "string" && numbers.error !== "NONE") {
    return word(lang, "reply", { what: numbers.error });
  }
  // For a command about several partitions, the part about the shown one.
  if (Array.isArray(numbers.partitions) && numbers.partitions.length > 1) {
    const shown =
      numbers.partitions.map(String).find((text) => text.startsWith(`${partition}:`)) ??
      String(numbers.partitions[0]);
    return `${shown} (+${numbers.partitions.length - 1})`;
  }
  const template = messageOf(texts, lang, `message-${messageVariant(message)}`);
  if (
    template === undefined ||
    placeholders(template).some((name) => numbers[name] === null || numbers[name] === undefined)
  ) {
    return messageName(catalogue, kind, lang);
  }
  return fill(
    template,
    { ...numbers, isr: Array.isArray(numbers.isr) ? set(numbers.isr) : (numbers.isr ?? null) },
    languageOf(lang),
  );
}

function messageVariant({ kind, numbers }: Message): string {
  if (kind !== "fetch_response") return kind;
  if (typeof numbers.diverging_epoch === "number") return `${kind}-diverging`;
  return numbers.records === 1 && Array.isArray(numbers.values) ? `${kind}-one` : kind;
}

export function messageRoute(message: Message, lang: Lang): string {
  return `${API_NAMES[message.kind] ?? message.kind} · ${messageEnds(message, lang)}`;
}

/** The sender and the receiver of a message. */
export function messageEnds({ from, to }: Pick<Message, "from" | "to">, lang: Lang): string {
  const end = (endpoint: Message["from"]) =>
    endpoint === "controller" ? word(lang, "controllerReceiver") : String(endpoint);
  return `${end(from)} → ${end(to)}`;
}

/** The labels of what a leader knows of its followers, whole and short. */
export function beliefLabelIn(lang: Lang): BeliefLabel {
  return (brokers, offset, short) =>
    word(lang, short ? "seenAtShort" : "seenAt", { brokers, offset });
}

/** The label of the line at which a log is truncated, and a shorter one. */
export function cutLabels(event: TraceEvent, lang: Lang): readonly [string, string] {
  const numbers = event.numbers;
  const both = (long: Word, short: Word, values: Parameters<typeof word>[2]): [string, string] => [
    word(lang, long, values),
    word(lang, short, values),
  ];
  if (event.kind === "EpochLookupAnswered") {
    // Before KIP-279 a response had no epoch: it was about the requested one.
    const answered =
      typeof numbers.answer_epoch === "number" && numbers.answer_epoch >= 0
        ? numbers.answer_epoch
        : numbers.epoch;
    return both("epochEndsAt", "epochEndsAtShort", {
      epoch: formatValue(answered),
      offset: formatValue(numbers.end_offset),
    });
  }
  const to = formatValue(numbers.to);
  switch (event.variant) {
    case "high_watermark":
    case "undefined":
    case "no_epochs":
      return both("cutToHighWatermark", "cutToHighWatermarkShort", { to });
    case "out_of_range":
      return both("cutToLogEnd", "cutToLogEndShort", { to });
    case "full":
      return both("cutFull", "cutFull", { to });
    default: {
      const own = numbers.own_end_offset ?? numbers.before;
      return typeof numbers.leader_end_offset === "number" && typeof own === "number"
        ? both("cutToMin", "cutToMinShort", { leader: numbers.leader_end_offset, own })
        : both("cutTo", "cutTo", { to });
    }
  }
}
