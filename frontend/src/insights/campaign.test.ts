import { describe, expect, it } from "vitest";

import type { CampaignSummary } from "../service/api";
import {
  alternativesOf,
  cellWith,
  changedWith,
  csv,
  curvesOf,
  drawnPoints,
  examplesOf,
  kipsOf,
  matrixOf,
  openingOfCell,
  openingOfTerm,
  rowsNear,
  settingAxes,
  survivalAt,
  usualCell,
  type Cell,
  type Curve,
  type Term,
} from "./campaign";

function cell(number: number, kafka: string, control: string, acks: string | number) {
  return { cell: number, settings: { kafka, control, acks, replication_factor: 3 } };
}

const summary = {
  grid: {},
  axes: {
    kafka: ["2.1", "3.9"],
    control: ["zookeeper", "kraft"],
    acks: ["all", 1],
    replication_factor: [3],
  },
  cells: [
    cell(0, "2.1", "zookeeper", "all"),
    cell(1, "2.1", "zookeeper", 1),
    cell(2, "3.9", "zookeeper", "all"),
    cell(3, "3.9", "kraft", "all"),
    cell(4, "3.9", "kraft", 1),
  ],
  examples: [
    { cell: 1, cause: "power_loss", steps: 9 },
    { cell: 1, cause: "leader_only", steps: 4 },
  ],
  comparisons: [
    {
      axis: "kafka",
      cells: [0, 2],
      values: ["2.1", "3.9"],
      only_first: 0,
      only_second: 1,
      differs: false,
      difference: { low: -0.02, high: 0.04 },
    },
    {
      axis: "acks",
      cells: [0, 1],
      values: ["all", 1],
      only_first: 2,
      only_second: 9,
      differs: true,
      difference: { low: 0.02, high: 0.2 },
    },
  ],
  survival: [
    {
      cell: 3,
      by: "faults",
      points: [
        { at: 0, survival: 1 },
        { at: 2, survival: 0.5 },
      ],
    },
    { cell: 3, by: "time_ms", points: [] },
  ],
} as unknown as CampaignSummary;

describe("a campaign's cells", () => {
  it("stand in rows of settings and columns of releases; what cannot be is empty", () => {
    const { columns, rows } = matrixOf(summary);

    expect(settingAxes(summary)).toEqual(["acks"]);
    expect(columns.map(({ kafka, control }) => `${kafka} ${control}`)).toEqual([
      "2.1 zookeeper",
      "3.9 zookeeper",
      "3.9 kraft",
    ]);
    expect(rows.map((row) => row.cells.map((one) => one?.cell ?? null))).toEqual([
      [0, 2, 3],
      [1, null, 4],
    ]);
  });

  it("are found by one setting, with the others as near as they can be", () => {
    const [first, second] = summary.cells as [
      CampaignSummary["cells"][number],
      CampaignSummary["cells"][number],
    ];
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

    expect(
      alternativesOf(summary, first).map(({ axis, to, here, there }) => [axis, to, here, there]),
    ).toEqual([
      ["acks", 1, 2, 9],
      ["kafka", "3.9", 0, 1],
    ]);
    expect(
      alternativesOf(summary, second).map(({ from, to, here, low, high }) => [
        from,
        to,
        here,
        low,
        high,
      ]),
    ).toEqual([[1, "all", 9, -0.2, -0.02]]);
  });

  it("have a curve of what they count", () => {
    const row = matrixOf(summary).rows[0];
    const [found] = row === undefined ? [] : curvesOf(summary, row);
    expect(found?.cell.cell).toBe(3);
    expect(found === undefined ? 0 : survivalAt(found.curve, 3)?.survival).toBe(0.5);
    expect(found === undefined ? 0 : survivalAt(found.curve, 1)?.survival).toBe(1);
  });
});

describe("a campaign with levels of a feature", () => {
  const ELR = "eligible.leader.replicas.version";
  const UNCLEAN = "unclean.leader.election.enable";
  const releases = [
    ["3.9", 0],
    ["4.1", 0],
    ["4.1", 1],
  ];
  const cells = releases.flatMap(([kafka, level]) =>
    ["all", 1].flatMap((acks) =>
      [false, true].map((unclean) => ({
        settings: { kafka, control: "kraft", acks, [UNCLEAN]: unclean, [ELR]: level },
      })),
    ),
  );
  const campaign = {
    grid: { features: { [ELR]: [0, 1] } },
    axes: {
      kafka: ["3.9", "4.1"],
      control: ["kraft"],
      acks: ["all", 1],
      [UNCLEAN]: [false, true],
      [ELR]: [0, 1],
    },
    cells: cells.map((one, number) => ({ ...one, cell: number })),
  } as unknown as CampaignSummary;
  const at = (number: number) => campaign.cells[number] as Cell;

  it("has a column for each level of a release that has several, and no empty cell", () => {
    const { columns, rows } = matrixOf(campaign);

    expect(
      columns.map(({ kafka, features }) => [kafka, ...features.map(({ level }) => level)]),
    ).toEqual([["3.9"], ["4.1", 0], ["4.1", 1]]);
    expect(settingAxes(campaign)).toEqual(["acks", UNCLEAN]);
    expect(rows.map((row) => row.cells.map((one) => one?.cell))).toEqual([
      [0, 4, 8],
      [1, 5, 9],
      [2, 6, 10],
      [3, 7, 11],
    ]);
  });

  it("begins with the newest release and the usual settings", () => {
    expect(usualCell(campaign)).toBe(at(8));
    expect(usualCell(summary)?.cell).toBe(3);
  });

  it("shows near a cell the rows that differ in one setting", () => {
    expect(rowsNear(matrixOf(campaign).rows, at(8)).map((row) => row.cells[0]?.cell)).toEqual([
      0, 1, 2,
    ]);
  });

  it("names the release that a level needs, and the level that a release needs", () => {
    expect(changedWith(campaign, at(1), ELR, 1)).toEqual([{ name: "kafka", value: "4.1" }]);
    expect(changedWith(campaign, at(9), "kafka", "3.9")).toEqual([{ name: ELR, value: 0 }]);
    expect(changedWith(campaign, at(1), "acks", 1)).toEqual([]);
    expect(changedWith(summary, summary.cells[0] as Cell, "kafka", "3.9")).toEqual([]);
    expect(changedWith(summary, summary.cells[0] as Cell, "control", "kraft")).toEqual([
      { name: "kafka", value: "3.9" },
    ]);
  });
});

describe("a file for spreadsheets", () => {
  it("quotes characters that would end a field", () => {
    expect(
      csv([
        ["a", 'say "b", c'],
        [1, null],
      ]),
    ).toBe('a,"say ""b"", c"\r\n1,\r\n');
  });

  it("has no text that a spreadsheet would compute", () => {
    const hostile = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "＝1+1", "-Infinity", "-"];

    expect(hostile.map((text) => csv([[text]]))).toEqual(hostile.map((text) => `'${text}\r\n`));
    expect(csv([['=HYPERLINK("https://evil.example","x")']])).toBe(
      `"'=HYPERLINK(""https://evil.example"",""x"")"\r\n`,
    );
    expect(csv([["\r=1"]])).toBe(`"'\r=1"\r\n`);
  });

  it("leaves numbers as they are", () => {
    expect(csv([[-1.5, "-1.5", "+2", "-1e-7", -2.5e-9, "-.5", 0, "1-2", "a=b"]])).toBe(
      "-1.5,-1.5,+2,-1e-7,-2.5e-9,-.5,0,1-2,a=b\r\n",
    );
  });
});

describe("what a mark opens", () => {
  const runs = {
    cells: [cell(0, "2.1", "zookeeper", "all"), cell(1, "2.1", "zookeeper", 1)],
    examples: [
      { cell: 1, cause: "power_loss", steps: 9, faults: ["power_loss", "crash"] },
      { cell: 1, cause: "leader_only", steps: 4, faults: ["crash"] },
    ],
    samples: [
      { cell: 1, seed: 5 },
      { cell: 0, seed: 7 },
    ],
    faults: [{ kind: "cut", example_cell: 0, example_seed: 3 }, { kind: "slow" }],
  } as unknown as CampaignSummary;
  const at = (number: number) => runs.cells[number] as Cell;
  const term = (kind: string, name: string, value: string | number | null) =>
    ({ kind, name, value }) as Term;

  it("is the shortest run of a cell that lost a record", () => {
    expect(openingOfCell(runs, at(1))).toMatchObject({ kind: "example", example: { steps: 4 } });
  });

  it("is a row where nothing was lost", () => {
    expect(openingOfCell(runs, at(0))).toEqual({ kind: "row", cell: 0, seed: 7 });
  });

  it("of a fault is a run that needs it or in which it happened, of a setting one that has it", () => {
    expect(openingOfTerm(runs, term("fault", "power_loss", null))).toMatchObject({
      example: { steps: 9 },
    });
    expect(openingOfTerm(runs, term("fault", "cut", null))).toEqual({
      kind: "row",
      cell: 0,
      seed: 3,
    });
    expect(openingOfTerm(runs, term("fault", "slow", null))).toBeNull();
    expect(openingOfTerm(runs, term("setting", "acks", 1))).toMatchObject({
      example: { steps: 4 },
    });
    expect(openingOfTerm(runs, term("setting", "acks", "all"))).toEqual({
      kind: "row",
      cell: 0,
      seed: 7,
    });
  });
});

describe("what stands in the charts", () => {
  it("names the KIPs that took effect in a column and not in the previous one", () => {
    const rules = (kafka: string, acks: string | number, named: Record<string, number>) => ({
      settings: { kafka, control: "kraft", acks },
      rules: named,
    });
    const cells = [
      rules("2.1", 1, { "KIP-101": 3, "HW-CHECKPOINT": 9 }),
      rules("3.9", "all", { "KIP-101": 3, "KIP-497": 1, "KIP-320-CONSUMER": 9 }),
      rules("3.9", 1, { "KIP-966": 4, "KIP-704": 2 }),
    ];
    const axes = { kafka: ["2.1", "3.9"], control: ["kraft"], acks: ["all", 1] };
    expect(kipsOf(matrixOf({ cells, axes, grid: {} } as unknown as CampaignSummary))).toEqual([
      [],
      ["KIP-966", "KIP-704"],
    ]);
  });

  it("draws a curve as far as enough runs are left", () => {
    const points = [99, 99, 12, 9, 1].map((runs_left, at) => ({
      at,
      survival: 1 - at / 10,
      low: 0,
      high: 1,
      runs_left,
    }));
    expect(drawnPoints({ points } as unknown as Curve).map((point) => point.at)).toEqual([0, 1, 2]);
    expect(drawnPoints({ points: points.slice(0, 3) } as unknown as Curve)).toHaveLength(3);
    expect(drawnPoints({ points: points.slice(4) } as unknown as Curve)).toHaveLength(1);
  });
});
