import { describe, expect, it } from "vitest";

import type { FaultRow, LossRow } from "../service/api";
import { axisTicks, compareVersions, faultsBehind, headline, highestOf, lossByVersion, percent, rateWords, unexercised } from "./arithmetic";

function loss(kafka: string, lost: number, exercised: number, more: Partial<LossRow> = {}): LossRow {
  return {
    dimension: "version_acks",
    kafka,
    acks: "all",
    min_insync_replicas: null,
    replication_factor: null,
    runs: exercised,
    exercised,
    not_exercised: 0,
    lost,
    rate: exercised === 0 ? null : lost / exercised,
    low: exercised === 0 ? null : Math.max(0, lost / exercised - 0.1),
    high: exercised === 0 ? null : Math.min(1, lost / exercised + 0.1),
    example_sid: null,
    ...more,
  };
}

const fault = (name: string, last: number): FaultRow => ({ fault: name, runs: last, lossy_runs: last, last_before_loss: last, example_sid: null });

describe("versions", () => {
  it("are ordered as numbers", () => {
    expect(["3.9", "0.10.2", "2.0.1", "0.9", "2.0"].sort(compareVersions)).toEqual(["0.9", "0.10.2", "2.0", "2.0.1", "3.9"]);
  });

  it("stand in both panels, with or without runs", () => {
    const rows = [loss("3.9", 0, 4), loss("0.10.2", 2, 4, { acks: "1" })];
    expect(lossByVersion(rows, "all").map(({ kafka, row }) => [kafka, row?.exercised])).toEqual([
      ["0.10.2", undefined],
      ["3.9", 4],
    ]);
  });
});

describe("the headline", () => {
  it("says that nothing was lost", () => {
    expect(headline([loss("3.9", 0, 9), loss("1.1", 3, 3, { acks: "1" })], [], "en")).toBe("No shared run has lost a record acknowledged with acks=all.");
  });

  it("says where losses stopped, and what stood behind them", () => {
    const rows = [loss("3.9", 0, 9), loss("0.10.2", 5, 9), loss("1.1", 1, 9)];
    expect(headline(rows, [fault("crash", 2), fault("power_loss", 4)], "en")).toBe(
      "With acks=all, runs up to Kafka 1.1 lost acknowledged records. No later run did. The most common last fault: a power loss.",
    );
  });

  it("names the worst where losses go on, and no fault where two are as frequent", () => {
    const rows = [loss("0.10.2", 5, 10), loss("1.1", 0, 9), loss("3.9", 1, 9)];
    expect(headline(rows, [fault("crash", 2), fault("power_loss", 2)], "en")).toBe(
      "With acks=all, Kafka 0.10.2 lost acknowledged records in 50 % of its runs, more than any other version.",
    );
  });

  it("counts where there is one version only", () => {
    expect(headline([loss("0.10.2", 1, 2)], [], "zh")).toBe("使用 acks=all 时，Kafka 0.10.2 的 2 次运行中有 1 次丢失了已确认的消息。");
  });

  it("leaves versions out that nobody exercised", () => {
    expect(headline([loss("0.10.2", 1, 2), loss("3.9", 0, 0)], [], "en")).toContain("1 of 2 runs");
  });
});

describe("numbers", () => {
  it.each([
    [0, "0 %"],
    [0.0004, "< 0.1 %"],
    [0.0123, "1.2 %"],
    [0.5, "50 %"],
    [1, "100 %"],
  ])("%d is %s", (share, text) => {
    expect(percent(share, "en")).toBe(text);
  });

  it("nothing lost is a bound", () => {
    expect(rateWords(loss("3.9", 0, 29), "en")).toBe("0 of 29; upper bound 10 %");
    expect(rateWords(loss("3.9", 0, 0), "en")).toBe("no relevant run yet");
    expect(rateWords(loss("3.9", 5, 10), "en")).toBe("50 % (40 % to 60 %), 5 of 10");
  });
});

describe("the axis", () => {
  it.each([
    [0, [0, 0.01]],
    [0.35, [0, 0.1, 0.2, 0.3, 0.4]],
    [0.97, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  ])("to %d", (highest, ticks) => {
    expect(axisTicks(highest)).toEqual(ticks);
  });

  it("is as long as the longest interval", () => {
    expect(highestOf([loss("1.1", 1, 10), loss("3.9", 5, 10), loss("2.0", 10, 10, { dimension: "version" })])).toBe(0.6);
    expect(highestOf([])).toBe(0);
  });
});

describe("what is counted apart", () => {
  it("names runs that were not exercised by version", () => {
    const rows = [loss("3.9", 0, 4, { dimension: "version", not_exercised: 3 }), loss("1.1", 0, 0, { dimension: "version", not_exercised: 2 })];
    expect(unexercised(rows)).toEqual({ runs: 5, versions: [{ kafka: "1.1", runs: 2 }, { kafka: "3.9", runs: 3 }] });
  });

  it("faults that never came last are no bars", () => {
    expect(faultsBehind([fault("cut", 0), fault("crash", 1), fault("drop", 3)]).map((row) => row.fault)).toEqual(["drop", "crash"]);
  });
});
