import { describe, expect, it } from "vitest";

import type { CauseRow, FaultRow, LossRow } from "../service/api";
import {
  ago,
  compareVersions,
  faultsBehind,
  knownCauses,
  lostWithAcks1,
  runsBySetting,
  runsByVersion,
  runsOfUnknownCause,
} from "./shared";

const row = (dimension: string, kafka: string, runs: number, lost: number) =>
  ({ dimension, kafka, runs, lost }) as unknown as LossRow;
const fault = (name: string, last: number) =>
  ({ fault: name, last_before_loss: last }) as unknown as FaultRow;

describe("the shared runs", () => {
  it("orders versions as numbers", () => {
    expect(["3.9", "0.10.2", "2.0.1", "0.9", "2.0"].sort(compareVersions)).toEqual([
      "0.9",
      "0.10.2",
      "2.0",
      "2.0.1",
      "3.9",
    ]);
  });

  it("counts the runs of each release once", () => {
    expect(
      runsByVersion([
        row("version", "3.9", 4, 0),
        row("version_acks", "3.9", 4, 0),
        row("version", "0.10.2", 2, 1),
      ]),
    ).toEqual([
      { kafka: "0.10.2", runs: 2, lost: 1 },
      { kafka: "3.9", runs: 4, lost: 0 },
    ]);
  });

  it("counts runs by one setting, and by release and acks", () => {
    const rows = [
      { dimension: "acks", acks: "1", runs: 5, lost: 2 },
      { dimension: "min_insync_replicas", min_insync_replicas: 2, runs: 4, lost: 0 },
      { dimension: "replication_factor", replication_factor: 3, runs: 9, lost: 1 },
      { dimension: "version_acks", kafka: "3.9", acks: "1", runs: 3, lost: 2 },
      { dimension: "version_acks", kafka: "3.9", acks: "all", runs: 3, lost: 0 },
    ] as unknown as LossRow[];

    expect(runsBySetting(rows)).toEqual([
      { setting: "acks", value: "1", runs: 5, lost: 2 },
      { setting: "min.insync.replicas", value: "2", runs: 4, lost: 0 },
      { setting: "replication_factor", value: "3", runs: 9, lost: 1 },
    ]);
    expect(lostWithAcks1(rows, "3.9")).toBe(2);
    expect(lostWithAcks1(rows, "4.1")).toBeNull();
  });

  it("names the faults that came last before a loss, most frequent first", () => {
    expect(
      faultsBehind([fault("crash", 1), fault("pause", 0), fault("cut", 3)]).map((one) => one.fault),
    ).toEqual(["cut", "crash"]);
  });

  it("keeps runs of unknown cause apart from the known causes", () => {
    const causes: CauseRow[] = [
      { cause: "unknown", runs: 20, lost_acks_all: 3 },
      { cause: "disk_loss", runs: 10, lost_acks_all: 1 },
      { cause: "power_loss", runs: 12, lost_acks_all: 0 },
    ];
    expect(knownCauses(causes).map((one) => one.cause)).toEqual(["power_loss", "disk_loss"]);
    expect(runsOfUnknownCause(causes)).toBe(20);
    expect(runsOfUnknownCause([])).toBe(0);
  });

  it("shows the age of the summary in each language", () => {
    const now = new Date("2026-03-04T12:00:00Z");
    expect(ago("2026-03-04T11:59:30Z", now, "en")).toBe("this minute");
    expect(ago("2026-03-04T11:01:00Z", now, "en")).toBe("59 minutes ago");
    expect(ago("2026-03-04T09:00:00Z", now, "en")).toBe("3 hours ago");
    expect(ago("2026-03-02T11:00:00Z", now, "zh-CN")).toBe("前天");
    expect(ago("2026-02-01T12:00:00Z", now, "zh-CN")).toBe("31天前");
    expect(ago("2026-03-04T12:05:00Z", now, "en")).toBe("this minute");
  });
});
