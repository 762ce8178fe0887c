import { describe, expect, it } from "vitest";

import type { CampaignSummary } from "../service/api";
import {
  assumptionText,
  duration,
  faultModelTitle,
  headlineText,
  number,
  settingsText,
  share,
  survivalCommonText,
  type Headline,
} from "./campaign-text";

const cell = {
  cell: 2,
  settings: { kafka: "3.9", control: "kraft", acks: "all", "unclean.leader.election.enable": true },
};
const summary = {
  grid: {},
  axes: {
    kafka: ["2.1", "3.9"],
    control: ["zookeeper", "kraft"],
    acks: ["all", 1],
    "unclean.leader.election.enable": [true],
  },
  cells: [cell],
  headlines: [],
  odds: {
    terms: [
      { kind: "setting", name: "acks", value: 1, reference: "all" },
      { kind: "fault", name: "power_loss", value: null },
    ],
  },
} as unknown as CampaignSummary;

function found(more: Partial<Headline>): string {
  return headlineText(
    summary,
    {
      kind: "no_difference",
      about: "matrix",
      settings: {},
      axis: null,
      values: [],
      cells: [],
      direction: null,
      name: null,
      number: null,
      low: null,
      high: null,
      ...more,
    } as Headline,
    "en",
  );
}

describe("the headlines of a campaign", () => {
  it("names the setting, the direction and how many comparisons carry it", () => {
    expect(
      found({ kind: "changed", axis: "acks", values: ["all", 1], direction: "rose", number: 20 }),
    ).toBe("acks 1 instead of all: more runs lose a record, in 20 comparisons");
    expect(
      found({
        kind: "changed",
        axis: "kafka",
        values: ["2.1", "3.9"],
        direction: "fell",
        number: 2,
      }),
    ).toBe("Kafka 3.9 instead of 2.1: fewer runs lose a record, in 2 comparisons");
  });

  it("explains a change by the faults and the writes of a run", () => {
    const before = { faults: 14, writable: 0.35, acked: 8, lost_of_acked: 0.029 };
    const after = { faults: 22, writable: 0.58, acked: 32, lost_of_acked: 0.011 };

    expect(
      found({
        kind: "changed",
        axis: "replication_factor",
        values: [2, 3],
        direction: "rose",
        number: 4,
        averages: [before, after],
      }),
    ).toBe(
      "replication_factor 3 instead of 2: more runs lose a record, in 4 comparisons. Faults per run: 22 instead of 14; writes possible 58% of the time instead of 35%. Of the acknowledged records, 1.1% are lost instead of 2.9%",
    );
  });

  it("gives no verdict if the runs are too few", () => {
    expect(found({ kind: "undecided", axis: "kafka", number: 32, high: 0.16 })).toBe(
      "Kafka: the runs are too few for a verdict; 32 comparisons do not exclude a difference of 16%",
    );
    expect(found({ kind: "undecided", axis: "kafka", number: 0, high: 1 })).toBe(
      "Kafka: nothing was compared",
    );
  });

  it("quotes the values in Chinese, which have no spaces between words", () => {
    const changed = {
      kind: "changed",
      about: "matrix",
      settings: {},
      cells: [],
      name: null,
      low: null,
      high: null,
    } as const;
    const zh = (more: Partial<Headline>) =>
      headlineText(summary, { ...changed, ...more } as Headline, "zh");

    expect(
      zh({
        axis: "unclean.leader.election.enable",
        values: [true, false],
        direction: "fell",
        number: 3,
      }),
    ).toContain("由“开”改为“关”");
    expect(
      zh({
        axis: "log.flush.interval.messages",
        values: [2 ** 63, 1],
        direction: "rose",
        number: 3,
      }),
    ).toContain("由“从不”改为“1”");
  });

  it("states that there is no difference if none was found", () => {
    expect(found({ axis: "kafka", number: 32, high: 0.04 })).toBe(
      "Kafka: no difference above 4% in 32 comparisons",
    );
    expect(found({ about: "forest" })).toBe("No fault or setting has a clear effect");
  });

  it("states an upper bound if nothing was lost", () => {
    expect(found({ kind: "never_lost", high: 0.004 })).toBe(
      "No run lost a record; the rate is at most 0.4%",
    );
  });

  it("gives shares and odds with their intervals", () => {
    expect(
      found({ kind: "survival", values: [3], cells: [2], number: 0.94, low: 0.79, high: 0.99 }),
    ).toBe(
      "After 3 faults, 94% of the runs with Kafka 3.9 KRaft, acks=all still have every record (79% to 99%)",
    );
    expect(
      found({ kind: "odds", name: "acks", values: [1], number: 134.2, low: 17.8, high: 1009.8 }),
    ).toBe("acks 1, not all: the odds of a loss are multiplied by 130 (18 to 1,010)");
  });

  it("says of a feature whether it is on", () => {
    const elr = "eligible.leader.replicas.version";
    expect(
      found({ kind: "changed", axis: elr, values: [0, 1], direction: "fell", number: 3 }),
    ).toBe(
      "eligible leader replicas (KIP-966) on instead of off: fewer runs lose a record, in 3 comparisons",
    );
    const cells = [0, 1].map((level) => ({
      settings: { kafka: "4.1", control: "kraft", acks: "all", [elr]: level },
    }));
    const axes = { kafka: ["4.1"], control: ["kraft"], acks: ["all", 1], [elr]: [0, 1] };
    const campaign = {
      grid: { features: { [elr]: [0, 1] } },
      axes,
      cells,
    } as unknown as CampaignSummary;
    expect(campaign.cells.map((one) => settingsText(campaign, one, "en"))).toEqual([
      "Kafka 4.1 KRaft, ELR off, acks=all",
      "Kafka 4.1 KRaft, ELR on, acks=all",
    ]);
  });

  it("names only what differs between the cells with the best and the worst curve, and the rest once", () => {
    const better = { cell: 1, settings: { ...cell.settings, kafka: "4.1" } };
    const worse = { cell: 2, settings: { ...better.settings, kafka: "2.1", control: "zookeeper" } };
    const survival = (one: number) =>
      ({
        kind: "survival",
        about: "survival",
        cells: [one],
        values: [3],
        number: 0.5,
        low: 0.4,
        high: 0.6,
      }) as unknown as Headline;
    const compared = (...cells: readonly { cell: number }[]) =>
      ({
        ...summary,
        cells,
        headlines: cells.map((one) => survival(one.cell)),
      }) as unknown as CampaignSummary;
    const both = compared(better, worse);

    expect(headlineText(both, survival(1), "en")).toBe(
      "After 3 faults, 50% of the runs with Kafka 4.1 KRaft still have every record (40% to 60%)",
    );
    expect(headlineText(both, survival(2), "en")).toContain("with Kafka 2.1 ZooKeeper still");
    expect(survivalCommonText(both, "en")).toBe("The same in both: acks=all");
    expect(headlineText(compared(better), survival(1), "en")).toContain(
      "with Kafka 4.1 KRaft, acks=all still",
    );
    expect(survivalCommonText(compared(better), "en")).toBeNull();
  });

  it("says nothing of common settings if the cells have none", () => {
    const other = { cell: 3, settings: { ...cell.settings, kafka: "2.1", acks: 1 } };
    const headlines = [2, 3].map((one) => ({ kind: "survival", cells: [one] }));

    expect(
      survivalCommonText(
        { ...summary, cells: [cell, other], headlines } as unknown as CampaignSummary,
        "en",
      ),
    ).toBeNull();
  });

  it("names a cell by the settings that vary in the campaign", () => {
    expect(settingsText(summary, cell as unknown as CampaignSummary["cells"][number], "en")).toBe(
      "Kafka 3.9 KRaft, acks=all",
    );
  });
});

describe("the faults that a campaign assumes", () => {
  const fault = {
    kind: "crash",
    scope: "broker",
    rates: [0.1, 0.2],
    duration_ms: 2000,
    reason: "",
    runs: 7,
    example_cell: null,
    example_seed: null,
  } satisfies CampaignSummary["faults"][number] as CampaignSummary["faults"][number];
  const model = (...faults: readonly (typeof fault)[]) =>
    faultModelTitle({ runs: 10, faults } as unknown as CampaignSummary, "en");

  it("have their rates and their duration", () => {
    expect(assumptionText(fault, "en")).toBe("0.1, 0.2 for each broker, 2 s");
    expect(
      assumptionText({ ...fault, scope: "cluster", rates: [0.01], duration_ms: 0 }, "en"),
    ).toBe("0.01 for the cluster, 0 ms");
  });

  it("are titled with the one that happened in most runs", () => {
    expect(model({ ...fault, kind: "pause", runs: 3 }, fault)).toBe(
      "crash and restart happened in 7 of 10 runs, more than any other fault",
    );
    expect(model({ ...fault, kind: "pause" }, fault)).toBe(
      "paused process, crash and restart each happened in 7 of 10 runs",
    );
    expect(model({ ...fault, runs: 0 })).toBe("No fault happened in any run");
    expect(model()).toBe("No fault happened in any run");
    expect(
      faultModelTitle(
        { runs: 16000, faults: [{ ...fault, runs: 14480 }] } as unknown as CampaignSummary,
        "zh",
      ),
    ).toContain("14,480");
    expect(
      faultModelTitle(
        { runs: 16000, faults: [{ ...fault, runs: 14480 }] } as unknown as CampaignSummary,
        "en",
      ),
    ).toContain("in 14,480 of 16,000 runs");
  });
});

describe("numbers", () => {
  it("have the digits that they carry", () => {
    expect([
      share(0.0556, "en"),
      share(0.44, "en"),
      share(0, "en"),
      share(-0.0004, "en"),
      share(-0.041, "en"),
      share(null, "en"),
    ]).toEqual(["5.6%", "44%", "0%", "0%", "-4.1%", "–"]);
    expect([number(0.098, "en"), number(12.558, "en")]).toEqual(["0.098", "13"]);
    expect([duration(16, "en"), duration(4096, "en")]).toEqual(["16 ms", "4.1 s"]);
  });
});
