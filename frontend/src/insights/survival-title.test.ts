import { describe, expect, it } from "vitest";

import type { CampaignSummary } from "../service/api";
import type { DrawnCurve } from "./campaign";
import { curveName, survivalTitle } from "./survival-title";

const summary = { grid: {}, axes: {}, cells: [] } as unknown as CampaignSummary;
const FEW = 5;
const MANY = 50;

/** A curve that starts at 1 and has one more value, after 4 faults; `left` runs are left at its end, after 9. */
function curve(
  kafka: string,
  survival: number,
  margin: number,
  left = MANY,
  control = "kraft",
): DrawnCurve {
  const point = (at: number, value: number, runs: number) => ({
    at,
    survival: value,
    low: value - margin,
    high: value + margin,
    runs_left: runs,
  });
  return {
    cell: { cell: 0, settings: { kafka, control } },
    curve: {
      by: "faults",
      points: [point(0, 1, MANY), point(4, survival, MANY), point(9, survival / 2, left)],
    },
  } as unknown as DrawnCurve;
}

describe("the title of the survival curves", () => {
  it("names the releases with the lowest and the highest curve, and no other setting", () => {
    expect(
      survivalTitle(
        summary,
        [curve("0.10.2", 0.4, 0.02), curve("2.1", 0.8, 0.02), curve("4.1", 0.9, 0.02)],
        "en",
      ),
    ).toBe(
      "After 9 faults, 20% of the runs with Kafka 0.10.2 and 45% with Kafka 4.1 still have every record",
    );
  });

  it("is about the last number of faults to which all curves are drawn", () => {
    expect(
      survivalTitle(summary, [curve("0.10.2", 0.4, 0.02, FEW), curve("4.1", 0.9, 0.02)], "en"),
    ).toBe(
      "After 4 faults, 40% of the runs with Kafka 0.10.2 and 90% with Kafka 4.1 still have every record",
    );
  });

  it("says that there is no difference if the intervals overlap", () => {
    expect(survivalTitle(summary, [curve("3.9", 0.6, 0.2), curve("4.1", 0.8, 0.2)], "en")).toBe(
      "After 9 faults, 30% to 40% of the runs still have every record: no clear difference",
    );
    expect(survivalTitle(summary, [curve("3.9", 0.8, 0.2), curve("4.1", 0.8, 0.2)], "en")).toBe(
      "After 9 faults, 40% of the runs of each curve still have every record: no difference seen",
    );
  });

  it("has the interval of an only curve, and says if there is none", () => {
    expect(survivalTitle(summary, [curve("4.1", 0.8, 0.1)], "en")).toBe(
      "After 9 faults, 40% of the runs with Kafka 4.1 still have every record (30% to 50%)",
    );
    expect(survivalTitle(summary, [], "en")).toBe("No curve for these settings.");
  });

  it("names the controller only where a release has two", () => {
    const both = [
      curve("3.9", 0.8, 0.1),
      curve("3.9", 0.8, 0.1, MANY, "zookeeper"),
      curve("4.1", 0.8, 0.1),
    ];
    expect(both.map(({ cell }) => curveName(summary, both, cell, "en"))).toEqual([
      "3.9 KRaft",
      "3.9 ZooKeeper",
      "4.1",
    ]);
  });
});
