import { describe, expect, it } from "vitest";

import type { Message } from "../../trace";
import { recordTitle } from "./record-text";

type Records = NonNullable<Message["metadata_records"]>;

const epochs = { leader_epoch: 2, partition_epoch: 7 };

function titled(
  records: Records | undefined,
  lang = "en",
  numbers: Message["numbers"] = { metadata_offset: 12 },
): string | null {
  return recordTitle(
    { ...(records === undefined ? {} : { metadata_records: records }), numbers },
    lang,
    "t-0",
  );
}

describe("the title of metadata records", () => {
  it.each<[Records, string, string]>([
    [
      [{ record: "PartitionChangeRecord", partition: "t-0", leader: 2, isr: [2, 3], ...epochs }],
      "metadata 12: leader 2, epoch 2, ISR {2, 3}",
      "元数据 12：leader 2，纪元 2，ISR {2, 3}",
    ],
    [
      [{ record: "PartitionChangeRecord", partition: "t-0", replicas: [2, 1, 3], ...epochs }],
      "metadata 12: replicas [2, 1, 3]",
      "元数据 12：副本 [2, 1, 3]",
    ],
    [
      [
        {
          record: "PartitionChangeRecord",
          partition: "t-0",
          replicas: [1, 2],
          adding: [2],
          removing: [],
          ...epochs,
        },
      ],
      "metadata 12: replicas [1, 2], adding [2], removing []",
      "元数据 12：副本 [1, 2]，添加 [2]，移除 []",
    ],
    [
      [
        {
          record: "PartitionChangeRecord",
          partition: "t-0",
          leader: -1,
          isr: [],
          elr: [1],
          last_known_elr: [1],
          ...epochs,
        },
      ],
      "metadata 12: no leader, epoch 2, ISR {}, ELR {1}, last known ELR {1}",
      "元数据 12：没有 leader，纪元 2，ISR {}，ELR {1}，最后已知的 ELR {1}",
    ],
    [
      [{ record: "PartitionChangeRecord", partition: "t-0", leader_recovery_state: 0, ...epochs }],
      "metadata 12: RECOVERED",
      "元数据 12：RECOVERED",
    ],
    [
      [{ record: "PartitionChangeRecord", partition: "t-0", ...epochs }],
      "metadata 12: partition epoch 7",
      "元数据 12：分区纪元 7",
    ],
    [
      [
        { record: "PartitionChangeRecord", partition: "t-0", isr: [1], ...epochs },
        { record: "BrokerRegistrationChangeRecord", broker: 2, fenced: true },
      ],
      "metadata 12: ISR {1}, broker 2 fenced",
      "元数据 12：ISR {1}，broker 2 被隔离",
    ],
    [
      [
        { record: "RegisterBrokerRecord", broker: 2, fenced: true },
        { record: "BrokerRegistrationChangeRecord", broker: 2, fenced: false },
      ],
      "metadata 12: broker 2 registered, broker 2 unfenced",
      "元数据 12：broker 2 已注册，broker 2 解除隔离",
    ],
    [
      [{ record: "BrokerRegistrationChangeRecord", broker: 2, in_controlled_shutdown: true }],
      "metadata 12: broker 2 shutting down",
      "元数据 12：broker 2 正在关闭",
    ],
    [
      [{ record: "FeatureLevelRecord", name: "metadata.version", feature_level: 21 }],
      "metadata 12: metadata.version level 21",
      "元数据 12：metadata.version 级别 21",
    ],
    [
      [{ record: "ClearElrRecord", topic: null }],
      "metadata 12: ELR cleared",
      "元数据 12：清空 ELR",
    ],
    [[], "metadata log up to 12", "截至 12 的元数据日志"],
  ])("has the offset and only what they change: %j", (records, english, chinese) => {
    expect(titled(records)).toBe(english);
    expect(titled(records, "zh")).toBe(chinese);
  });

  it("is about the shown partition, or else the first one", () => {
    const shrinks = (partition: string): Records[number] => ({
      record: "PartitionChangeRecord",
      partition,
      isr: [1],
      ...epochs,
    });
    const [other, shown, third] = [shrinks("u-0"), shrinks("t-0"), shrinks("u-1")] as const;

    expect(titled([other, shown, third])).toBe("metadata 12: ISR {1} (+2)");
    expect(titled([other, third])).toBe("metadata 12: u-0: ISR {1} (+1)");
    expect(titled([other, third], "zh")).toBe("元数据 12：u-0：ISR {1}（+1）");
  });

  it("is another for messages that are stored without their records", () => {
    expect(titled(undefined)).toBeNull();
  });
});
