/** The texts of metadata records in flight: their offset, and only what they change. */

import type { Lang } from "../../language";
import type { Message } from "../../trace";
import { joined, set, word } from "./stage-texts";

type MetadataRecord = NonNullable<Message["metadata_records"]>[number];
type PartitionChange = Extract<MetadataRecord, { readonly record: "PartitionChangeRecord" }>;

/** What a message of metadata records changes, with their offset; null for other messages, and for those stored without their records. */
export function recordTitle(
  { metadata_records: records, numbers }: Pick<Message, "metadata_records" | "numbers">,
  lang: Lang,
  partition: string,
): string | null {
  const offset = numbers.metadata_offset;
  if (records === undefined || typeof offset !== "number") return null;
  if (records.length === 0) return word(lang, "recordsUpTo", { offset });
  // Of several partitions, only the shown one has room; otherwise the first one.
  const other = (record: MetadataRecord) =>
    record.record === "PartitionChangeRecord" && record.partition !== partition;
  const told = records.every(other)
    ? records.slice(0, 1)
    : records.filter((record) => !other(record));
  const changes = told.map((record) => {
    const text = recordText(record, lang);
    return record.record === "PartitionChangeRecord" && record.partition !== partition
      ? word(lang, "recordOfPartition", { partition: record.partition, changes: text })
      : text;
  });
  return word(lang, "recordAt", {
    offset,
    changes: joined(lang, changes),
    more: records.length - told.length,
  });
}

/** What a metadata record changes. */
function recordText(record: MetadataRecord, lang: Lang): string {
  switch (record.record) {
    case "RegisterBrokerRecord":
      return word(lang, "record-registered", { broker: record.broker });
    case "BrokerRegistrationChangeRecord":
      return word(
        lang,
        record.in_controlled_shutdown === true
          ? "record-shutting_down"
          : record.fenced === true
            ? "record-fenced"
            : "record-unfenced",
        { broker: record.broker },
      );
    case "FeatureLevelRecord":
      return word(lang, "record-feature", {
        name: record.name,
        feature_level: record.feature_level,
      });
    case "ClearElrRecord":
      return word(lang, "record-clear_elr");
    case "PartitionChangeRecord":
      return partitionText(record, lang);
  }
}

function partitionText(record: PartitionChange, lang: Lang): string {
  const { leader, leader_epoch, partition_epoch, leader_recovery_state: recovery } = record;
  const changes: string[] = [];
  if (leader !== undefined)
    changes.push(
      word(lang, leader < 0 ? "record-no_leader" : "record-leader", { leader, leader_epoch }),
    );
  for (const name of ["isr", "elr", "last_known_elr"] as const) {
    const members = record[name];
    if (members !== undefined) changes.push(word(lang, `record-${name}`, { [name]: set(members) }));
  }
  if (recovery !== undefined)
    changes.push(word(lang, recovery === 1 ? "record-recovering" : "record-recovered"));
  for (const name of ["replicas", "adding", "removing"] as const) {
    const members = record[name];
    // A list, because the first replica is the preferred leader.
    if (members !== undefined)
      changes.push(word(lang, `record-${name}`, { [name]: `[${members.join(", ")}]` }));
  }
  return changes.length === 0
    ? word(lang, "record-epoch", { partition_epoch })
    : joined(lang, changes);
}
