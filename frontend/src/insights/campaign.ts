/** A campaign's summary as the page shows it: columns of releases, rows of settings, series of charts. */

import type { CampaignSummary } from "../service/api";

export type Cell = CampaignSummary["cells"][number];
export type Comparison = CampaignSummary["comparisons"][number];
export type Curve = CampaignSummary["survival"][number];
export type Example = CampaignSummary["examples"][number];
export type Term = CampaignSummary["odds"]["terms"][number];
export type Value = Cell["settings"][string];

/** What a release is run as: a column for each combination. Levels of features are part of it, because not every release has the feature. */
export function releaseAxes({ grid, axes }: CampaignSummary): string[] {
  const features =
    typeof grid.features === "object" && grid.features !== null ? Object.keys(grid.features) : [];
  return ["kafka", "control", ...features.filter((name) => (axes[name] ?? []).length > 1)];
}

export interface Column {
  readonly kafka: string;
  readonly control: string;
  /** The levels of the features that this release was run with at more than one level. */
  readonly features: readonly { readonly name: string; readonly level: Value }[];
}

export interface Row {
  /** The key of the row: its settings in the order of the axes. */
  readonly key: string;
  readonly settings: readonly { readonly name: string; readonly value: Value }[];
  /** By column; null if the combination is impossible. */
  readonly cells: readonly (Cell | null)[];
}

export interface Matrix {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** How the rows of a summary are played: by the shipped campaign, one of the operator's, or its own grid. */
export type RowSource =
  | { readonly kind: "shipped" }
  | { readonly kind: "own"; readonly id: string }
  | { readonly kind: "file"; readonly grid: CampaignSummary["grid"] };

/** The axes that differ within the campaign, apart from the release. */
export function settingAxes(summary: CampaignSummary): string[] {
  const release = releaseAxes(summary);
  return Object.entries(summary.axes)
    .filter(([name, values]) => values.length > 1 && !release.includes(name))
    .map(([name]) => name);
}

export function columnOf(summary: CampaignSummary, { settings }: Cell): Column {
  const [, , ...features] = releaseAxes(summary);
  const same = summary.cells.filter(
    (cell) => cell.settings.kafka === settings.kafka && cell.settings.control === settings.control,
  );
  const varying = features.filter((name) =>
    same.some((cell) => cell.settings[name] !== settings[name]),
  );
  return {
    kafka: String(settings.kafka),
    control: String(settings.control),
    features: varying.map((name) => ({ name, level: settings[name] as Value })),
  };
}

/** A key for lists of columns. */
export function columnKey({ kafka, control, features }: Column): string {
  return [kafka, control, ...features.map(({ level }) => String(level))].join(" ");
}

/** Cells in rows of settings and columns of releases, both in the order of the axes. */
export function matrixOf(summary: CampaignSummary): Matrix {
  const axes = settingAxes(summary);
  const place = (axis: string, value: Value | undefined): number =>
    (summary.axes[axis] ?? []).findIndex((one) => one === value);
  const rank = (cell: Cell, names: readonly string[]): number =>
    names.reduce((sum, axis) => sum * 100 + place(axis, cell.settings[axis]), 0);
  const keyOf = (cell: Cell): string => axes.map((axis) => String(cell.settings[axis])).join(" ");
  const release = releaseAxes(summary);
  const columns = new Map(
    [...summary.cells]
      .sort((a, b) => rank(a, release) - rank(b, release))
      .map((cell) => [rank(cell, release), columnOf(summary, cell)]),
  );
  const rows = new Map<string, Map<number, Cell>>();
  for (const cell of [...summary.cells].sort((a, b) => rank(a, axes) - rank(b, axes))) {
    rows.set(
      keyOf(cell),
      (rows.get(keyOf(cell)) ?? new Map<number, Cell>()).set(rank(cell, release), cell),
    );
  }
  return {
    columns: [...columns.values()],
    rows: [...rows].map(([key, cells]) => {
      const [first] = cells.values();
      return {
        key,
        settings: axes.map((name) => ({ name, value: first?.settings[name] as Value })),
        cells: [...columns.keys()].map((column) => cells.get(column) ?? null),
      };
    }),
  };
}

/** The row of a cell, and the rows that differ from it in one setting. */
export function rowsNear(rows: readonly Row[], cell: Cell): Row[] {
  return rows.filter(
    (row) => row.settings.filter(({ name, value }) => cell.settings[name] !== value).length <= 1,
  );
}

const USUAL: Readonly<Record<string, Value>> = {
  acks: "all",
  "unclean.leader.election.enable": false,
};

/** The newest release with the usual settings. */
export function usualCell({ cells, axes }: CampaignSummary): Cell | undefined {
  const wanted = Object.entries(USUAL).filter(
    ([axis, value]) => axes[axis]?.includes(value) === true,
  );
  return (
    cells.findLast((cell) => wanted.every(([axis, value]) => cell.settings[axis] === value)) ??
    cells[0]
  );
}

/**
 * The cell with one setting changed. If that is impossible, the cell with this value that keeps
 * most other settings.
 */
export function cellWith(summary: CampaignSummary, from: Cell, axis: string, value: Value): Cell {
  const likeness = (cell: Cell): number =>
    Object.entries(from.settings).filter(
      ([name, had]) => name !== axis && cell.settings[name] === had,
    ).length;
  const having = summary.cells.filter((cell) => cell.settings[axis] === value);
  return having.reduce(
    (best, cell) => (likeness(cell) > likeness(best) ? cell : best),
    having[0] ?? from,
  );
}

/** The settings, apart from this one, that `cellWith` would change as well, with their new values. The controller follows the release. */
export function changedWith(
  summary: CampaignSummary,
  from: Cell,
  axis: string,
  value: Value,
): { readonly name: string; readonly value: Value }[] {
  const to = cellWith(summary, from, axis, value).settings;
  const changed = Object.entries(to).flatMap(([name, now]) =>
    now === from.settings[name] ? [] : [{ name, value: now }],
  );
  const isOfRelease = changed.some(({ name }) => name === "kafka");
  return changed.filter(({ name }) => name !== axis && !(isOfRelease && name === "control"));
}

/** The shortest runs of a cell that lost a record, one for each cause. */
export function examplesOf(summary: CampaignSummary, cell: Cell): Example[] {
  return summary.examples.filter((one) => one.cell === cell.cell).sort((a, b) => a.steps - b.steps);
}

/** A run to open: a shortened one, or a row of the campaign as it was played. */
export type Opening =
  | { readonly kind: "example"; readonly example: Example }
  | { readonly kind: "row"; readonly cell: number; readonly seed: number };

/** The run that opens from a data point for these cells: the shortest one that lost a record, otherwise any row. */
function openingAmong(
  summary: CampaignSummary,
  examples: readonly Example[],
  cells: readonly number[],
): Opening | null {
  const example = [...examples].sort((a, b) => a.steps - b.steps)[0];
  if (example !== undefined) return { kind: "example", example };
  const row = summary.samples.find((one) => cells.includes(one.cell));
  return row === undefined ? null : { kind: "row", cell: row.cell, seed: row.seed };
}

export function openingOfCell(summary: CampaignSummary, cell: Cell): Opening | null {
  return openingAmong(summary, examplesOf(summary, cell), [cell.cell]);
}

/** A run whose smallest set of faults has this one, otherwise any run in which it happened. */
export function openingOfFault(summary: CampaignSummary, kind: string): Opening | null {
  const needing = openingAmong(
    summary,
    summary.examples.filter((one) => one.faults.includes(kind)),
    [],
  );
  const { example_cell: cell, example_seed: seed } =
    summary.faults.find((one) => one.kind === kind) ?? {};
  return (
    needing ??
    (typeof cell === "number" && typeof seed === "number" ? { kind: "row", cell, seed } : null)
  );
}

/** The run of a fault, or one with a setting. */
export function openingOfTerm(summary: CampaignSummary, term: Term): Opening | null {
  if (term.kind === "fault") return openingOfFault(summary, term.name);
  const cells = summary.cells
    .filter((cell) => cell.settings[term.name] === term.value)
    .map((cell) => cell.cell);
  return openingAmong(
    summary,
    summary.examples.filter((one) => cells.includes(one.cell)),
    cells,
  );
}

const MOST_KIPS = 2;

/** For each column the KIPs that had an effect in its runs, but not in those of the previous column. */
export function kipsOf({ columns, rows }: Matrix): string[][] {
  const named = columns.map((_, at) => {
    const runs = new Map<string, number>();
    for (const { cells } of rows) {
      for (const [rule, count] of Object.entries(cells[at]?.rules ?? {}))
        if (/^KIP-\d+$/.test(rule)) runs.set(rule, (runs.get(rule) ?? 0) + count);
    }
    return runs;
  });
  return named.map((runs, at) => {
    const before = named[at - 1];
    if (before === undefined) return [];
    const fresh = [...runs].filter(([rule]) => !before.has(rule)).sort((a, b) => b[1] - a[1]);
    return fresh.slice(0, MOST_KIPS).map(([rule]) => rule);
  });
}

/** With fewer runs the proportion is not meaningful. */
export const FEWEST_LEFT = 10;

/** The part of a curve with enough remaining runs. */
export function drawnPoints(curve: Curve): Curve["points"] {
  const until = curve.points.findIndex((point, at) => at > 0 && point.runs_left < FEWEST_LEFT);
  return until < 0 ? curve.points : curve.points.slice(0, until);
}

export interface Alternative {
  readonly comparison: Comparison;
  readonly axis: string;
  readonly from: Value;
  readonly to: Value;
  readonly other: Cell;
  /** The numbers of seeds that lost a record only in the one cell, and only in the other. */
  readonly here: number;
  readonly there: number;
  /** The interval of the difference of the rates of loss: that of the other cell minus that of this one. */
  readonly low: number;
  readonly high: number;
}

/**
 * The comparisons with one setting changed, on the same seeds; significant differences come first.
 */
export function alternativesOf(summary: CampaignSummary, cell: Cell): Alternative[] {
  return summary.comparisons
    .flatMap((comparison): Alternative[] => {
      const at = comparison.cells.indexOf(cell.cell);
      const other = summary.cells.find((one) => one.cell === comparison.cells[at === 0 ? 1 : 0]);
      if (at < 0 || other === undefined) return [];
      const { axis, values, only_first, only_second, difference } = comparison;
      const [from, to] = (at === 0 ? values : [...values].reverse()) as [Value, Value];
      const [here, there] = at === 0 ? [only_first, only_second] : [only_second, only_first];
      const { low, high } =
        at === 0 ? difference : { low: -difference.high, high: -difference.low };
      return [{ comparison, axis, from, to, other, here, there, low, high }];
    })
    .sort((a, b) => Number(b.comparison.differs) - Number(a.comparison.differs));
}

/** A curve of survival by faults, and its cell. */
export interface DrawnCurve {
  readonly cell: Cell;
  readonly curve: Curve;
}

/** The curves of a row of the matrix, in the order of its columns. */
export function curvesOf(summary: CampaignSummary, row: Row): DrawnCurve[] {
  return row.cells.flatMap((cell) => {
    const curve = summary.survival.find((one) => one.cell === cell?.cell && one.by === "faults");
    return cell === null || curve === undefined ? [] : [{ cell, curve }];
  });
}

/** The survival at a point of the axis. */
export function survivalAt(curve: Curve, at: number): Curve["points"][number] | undefined {
  return curve.points.findLast((point) => point.at <= at);
}

/** The upper end of a bin of lags, in ms: bin 0 is below 1 ms, bin k below 2^k ms. */
export function binEnd(bin: number): number {
  return 2 ** bin;
}

/** What a spreadsheet takes for a formula, also in the wide forms of East Asian input. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Rows of text as a CSV file (RFC 4180). An apostrophe keeps a spreadsheet from computing a text that
 * begins like a formula (OWASP, CSV injection); numbers stay as they are.
 */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  const field = (value: string | number | null): string => {
    const written = value === null ? "" : String(value);
    const text = FORMULA.test(written) && !NUMBER.test(written) ? `'${written}` : written;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}
