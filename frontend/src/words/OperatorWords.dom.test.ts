import { fireEvent, screen, within } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import type { OperatorWords as Words } from "../service/api";
import OperatorWords from "./OperatorWords.svelte";

const WORDS: Words = {
  kafka: "4.1.2",
  control: "kraft",
  partition: null,
  metrics: [
    {
      name: "OfflinePartitionsCount",
      bean: "kafka.controller:type=KafkaController,name=OfflinePartitionsCount",
      source: "ReplicationControlManager",
      reporter: "controller",
      counts: "now",
      values: [{ broker: null, value: 1 }],
      says: "shows",
      value: { en: "1 on the controller", zh: "controller 上为 1" },
      note: null,
    },
    {
      name: "UnderReplicatedPartitions",
      bean: "kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions",
      source: "Partition",
      reporter: "leader",
      counts: "now",
      values: [],
      says: "misses",
      value: { en: "reported by no broker", zh: "没有 broker 上报" },
      note: { en: "not in it: no leader", zh: "不计入：没有 leader" },
    },
    {
      name: "ActiveControllerCount",
      bean: "kafka.controller:type=KafkaController,name=ActiveControllerCount",
      source: "QuorumController",
      reporter: "controller",
      counts: "now",
      values: [{ broker: null, value: 1 }],
      says: "quiet",
      value: { en: "1 on the controller", zh: "controller 上为 1" },
      note: null,
    },
  ],
  lines: [
    {
      id: "log-truncated",
      frame: 7,
      component: "broker",
      who: "3",
      level: "INFO",
      logger: "kafka.log.UnifiedLog",
      source: "UnifiedLog",
      parts: [
        { text: "[UnifiedLog partition=t-0, dir=…] ", look_for: false },
        { text: "Truncating to offset", look_for: true },
        { text: " 40", look_for: false },
      ],
    },
  ],
};

const ADDRESSES = { UnifiedLog: "https://example.org/UnifiedLog" };

function rendered(props: object = {}, lang: "en" | "zh" = "en"): void {
  renderIn(lang)(OperatorWords, { props: { words: WORDS, addresses: ADDRESSES, ...props } });
}

test("A metric that shows trouble has its value, one that misses it has the reason", () => {
  rendered();

  expect(screen.getByText("1 on the controller", { selector: "b" })).toBeVisible();
  expect(screen.getByText("not in it: no leader")).toBeVisible();
});

test("Metrics at rest are folded", () => {
  rendered();

  const folded = screen.getByText("1 metric at rest").closest("details");

  expect(folded?.open).toBe(false);
  expect(within(folded as HTMLElement).getByText("ActiveControllerCount")).toBeInTheDocument();
});

test("The words to search logs for are marked, not only coloured", () => {
  rendered();

  expect(screen.getByText("Truncating to offset").tagName).toBe("MARK");
});

test("Who prints a line leads to its frame", async () => {
  const onframe = vi.fn();
  rendered({ onframe });

  await fireEvent.click(screen.getByRole("button", { name: "broker 3" }));

  expect(onframe).toHaveBeenCalledExactlyOnceWith(7);
});

test("Sources are shown on request", async () => {
  rendered();
  expect(screen.queryByRole("link", { name: "UnifiedLog" })).toBeNull();

  await fireEvent.click(screen.getByLabelText("Where each is from"));

  expect(screen.getByRole("link", { name: "UnifiedLog" })).toHaveAttribute(
    "href",
    ADDRESSES.UnifiedLog,
  );
});

test("A step without lines says so, in Chinese too", () => {
  rendered({ words: { ...WORDS, lines: [], metrics: [] } }, "zh");

  expect(screen.getByText("这个版本的集群不会为此打印日志。")).toBeVisible();
  expect(screen.getByText("这些指标都正常。")).toBeVisible();
});
