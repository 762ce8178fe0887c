/** What the controller has decided about a partition: for its lane, or for the head of a column. */

import { termText, type Catalogue, type Frame, type Lang } from "../../trace";
import { set, word } from "./stage-texts";

export interface PartitionFact {
  readonly label: string;
  /** Empty if the label is all. */
  readonly value: string;
  /** After the value; empty for none. */
  readonly note: string;
  /** The explanation of the term; null if there is none. */
  readonly term: string | null;
  readonly tone: "plain" | "warn" | "bad";
}

export function partitionFacts(
  frame: Frame,
  partition: string,
  catalogue: Catalogue,
  lang: Lang,
): PartitionFact[] {
  const registration = frame.state.partitions[partition];
  if (registration === undefined) return [];
  const { leader, isr, elr, last_known_elr: lastKnown } = registration;
  const fact = (
    label: string,
    value: string | number,
    rest: Partial<PartitionFact> & { readonly of?: string } = {},
  ): PartitionFact => {
    const { of, ...others } = rest;
    return {
      label,
      value: String(value),
      note: "",
      term: of === undefined ? null : termText(catalogue, of, lang),
      tone: "plain",
      ...others,
    };
  };
  const members = (
    label: string,
    brokers: readonly number[],
    rest: Parameters<typeof fact>[2],
  ): PartitionFact[] => (brokers.length === 0 ? [] : [fact(label, set(brokers), rest)]);
  const zookeeper = frame.state.controller.kind === "zookeeper";
  return [
    leader === -1
      ? fact(word(lang, "noLeader"), "", { tone: "bad" })
      : fact(word(lang, "leaderChip"), leader),
    fact(word(lang, "leaderEpoch"), registration.leader_epoch, { of: "leader epoch" }),
    fact("AR", set(registration.replicas), { of: "AR" }),
    registration.under_min_isr
      ? fact("ISR", set(isr), {
          of: "min.insync.replicas",
          note: word(lang, "underMinIsr", { needed: registration.min_insync_replicas }),
          tone: "warn",
        })
      : fact("ISR", set(isr), { of: "ISR" }),
    ...members("OSR", registration.osr, { of: "OSR" }),
    ...members("ELR", elr, { of: "ELR" }),
    ...members(word(lang, "lastKnownElr"), lastKnown, {}),
    ...(registration.leader_recovery_state === "RECOVERING"
      ? [fact(word(lang, "recovering"), "", { of: "leader recovery state", tone: "warn" })]
      : []),
    ...members(word(lang, "adding"), registration.adding_replicas, { tone: "warn" }),
    ...members(word(lang, "removing"), registration.removing_replicas, { tone: "warn" }),
    fact(word(lang, zookeeper ? "znodeVersion" : "partitionEpoch"), registration.partition_epoch, {
      of: zookeeper ? "znode version" : "partition epoch",
    }),
  ];
}
