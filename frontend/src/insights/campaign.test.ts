import { describe, expect, it } from "vitest";

import type { CampaignSummary } from "../service/api";
import { alternativesOf, cellWith, csv, curvesOf, examplesOf, matrixOf, settingAxes, survivalAt } from "./campaign";

function cell(number: number, kafka: string, control: string, acks: string | number) {
  return { cell: number, settings: { kafka, control, acks, replication_factor: 3 } };
}

const summary = {
  axes: { kafka: ["2.1", "3.9"], control: ["zookeeper", "kraft"], acks: ["all", 1], replication_factor: [3] },
  cells: [cell(0, "2.1", "zookeeper", "all"), cell(1, "2.1", "zookeeper", 1), cell(2, "3.9", "zookeeper", "all"), cell(3, "3.9", "kraft", "all"), cell(4, "3.9", "kraft", 1)],
  examples: [
    { cell: 1, cause: "power_loss", steps: 9 },
    { cell: 1, cause: "leader_only", steps: 4 },
  ],
  comparisons: [
    { axis: "kafka", cells: [0, 2], values: ["2.1", "3.9"], only_first: 0, only_second: 1, differs: false },
    { axis: "acks", cells: [0, 1], values: ["all", 1], only_first: 2, only_second: 9, differs: true },
  ],
  survival: [
    { cell: 3, by: "faults", points: [{ at: 0, survival: 1 }, { at: 2, survival: 0.5 }] },
    { cell: 3, by: "time_ms", points: [] },
  ],
} as unknown as CampaignSummary;

describe("a campaign's cells", () => {
  it("stand in rows of settings and columns of releases; what cannot be is empty", () => {
    const { columns, rows } = matrixOf(summary);

    expect(settingAxes(summary)).toEqual(["acks"]);
    expect(columns.map(({ kafka, control }) => `${kafka} ${control}`)).toEqual(["2.1 zookeeper", "3.9 zookeeper", "3.9 kraft"]);
    expect(rows.map((row) => row.cells.map((one) => one?.cell ?? null))).toEqual([
      [0, 2, 3],
      [1, null, 4],
    ]);
  });

  it("are found by one setting, with the others as near as they can be", () => {
    const [first, second] = summary.cells as [CampaignSummary["cells"][number], CampaignSummary["cells"][number]];
    expect(cellWith(summary, first, "acks", 1).cell).toBe(1);
    expect(cellWith(summary, second, "control", "kraft").cell).toBe(4);
  });

  it("have their examples, the shortest first", () => {
    const second = summary.cells[1] as CampaignSummary["cells"][number];
    expect(examplesOf(summary, second).map((one) => one.steps)).toEqual([4, 9]);
  });

  it("are compared from where one stands, and what differs comes first", () => {
    const first = summary.cells[0] as CampaignSummary["cells"][number];
    const second = summary.cells[1] as CampaignSummary["cells"][number];

    expect(alternativesOf(summary, first).map(({ axis, to, onlyHere, onlyThere }) => [axis, to, onlyHere, onlyThere])).toEqual([
      ["acks", 1, 2, 9],
      ["kafka", "3.9", 0, 1],
    ]);
    expect(alternativesOf(summary, second).map(({ from, to, onlyHere }) => [from, to, onlyHere])).toEqual([[1, "all", 9]]);
  });

  it("have a curve of what they count", () => {
    const row = matrixOf(summary).rows[0];
    const [found] = row === undefined ? [] : curvesOf(summary, row, "faults");
    expect(found?.cell.cell).toBe(3);
    expect(found === undefined ? 0 : survivalAt(found.curve, 3)?.survival).toBe(0.5);
    expect(found === undefined ? 0 : survivalAt(found.curve, 1)?.survival).toBe(1);
  });
});

describe("a file for spreadsheets", () => {
  it("quotes what would end a field", () => {
    expect(csv([["a", 'say "b", c'], [1, null]])).toBe('a,"say ""b"", c"\r\n1,\r\n');
  });
});
