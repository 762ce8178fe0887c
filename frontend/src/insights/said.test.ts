import { describe, expect, it } from "vitest";

import type { CampaignSummary } from "../service/api";
import { duration, findingText, number, settingsText, share, type Finding } from "./said";

const cell = { cell: 2, settings: { kafka: "3.9", control: "kraft", acks: "all", "unclean.leader.election.enable": true } };
const summary = {
  axes: { kafka: ["2.1", "3.9"], control: ["zookeeper", "kraft"], acks: ["all", 1], "unclean.leader.election.enable": [true] },
  cells: [cell],
  odds: { terms: [{ kind: "setting", name: "acks", value: 1, reference: "all" }, { kind: "fault", name: "power_loss", value: null }] },
} as unknown as CampaignSummary;

function found(more: Partial<Finding>): string {
  return findingText(summary, { kind: "no_difference", about: "matrix", settings: {}, axis: null, values: [], cells: [], direction: null, name: null, number: null, low: null, high: null, ...more } as Finding, "en");
}

describe("what a campaign is said to have found", () => {
  it("names the setting, the direction and how many comparisons carry it", () => {
    expect(found({ kind: "changed", axis: "acks", values: ["all", 1], direction: "rose", number: 20 })).toBe("acks 1 instead of all raises the rate of loss, in 20 of the comparisons");
    expect(found({ kind: "changed", axis: "kafka", values: ["2.1", "3.9"], direction: "fell", number: 2 })).toBe("Kafka 3.9 instead of 2.1 lowers the rate of loss, in 2 of the comparisons");
  });

  it("says that there is no difference where none is seen", () => {
    expect(found({ axis: "kafka", number: 32 })).toBe("Kafka: no significant difference in 32 comparisons");
    expect(found({ about: "forest" })).toBe("No fault or setting has a clear effect");
  });

  it("bounds what was never lost", () => {
    expect(found({ kind: "never_lost", high: 0.004 })).toBe("No run lost a record; the rate is at most 0.4%");
  });

  it("gives shares and odds with their intervals", () => {
    expect(found({ kind: "survival", values: [3], cells: [2], number: 0.94, low: 0.79, high: 0.99 })).toBe("After 3 faults, 94% of the runs with Kafka 3.9 KRaft, acks=all still have every record (79% to 99%)");
    expect(found({ kind: "odds", name: "acks", values: [1], number: 134.2, low: 17.8, high: 1009.8 })).toBe("acks 1, not all: the odds of a loss are multiplied by 130 (18 to 1,010)");
  });

  it("names a cell by what differs within the campaign", () => {
    expect(settingsText(summary, cell as unknown as CampaignSummary["cells"][number], "en")).toBe("Kafka 3.9 KRaft, acks=all");
  });
});

describe("numbers", () => {
  it("have the digits that they carry", () => {
    expect([share(0.0556, "en"), share(0.44, "en"), share(0, "en"), share(null, "en")]).toEqual(["5.6%", "44%", "0%", "–"]);
    expect([number(0.098, "en"), number(12.558, "en")]).toEqual(["0.098", "13"]);
    expect([duration(16, "en"), duration(4096, "en")]).toEqual(["16 ms", "4.1 s"]);
  });
});
