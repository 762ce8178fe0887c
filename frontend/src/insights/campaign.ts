/** A campaign's summary as the page shows it: columns of releases, rows of settings, series of charts. */

import type { CampaignSummary } from "../service/api";

export type Cell = CampaignSummary["cells"][number];
export type Comparison = CampaignSummary["comparisons"][number];
export type Curve = CampaignSummary["survival"][number];
export type Example = CampaignSummary["examples"][number];
export type Term = CampaignSummary["odds"]["terms"][number];
export type Value = Cell["settings"][string];

export const RELEASE = ["kafka", "control"] as const;

export interface Column {
  readonly kafka: string;
  readonly control: string;
}

export interface Row {
  /** What stands for the row: its settings in the order of the axes. */
  readonly key: string;
  readonly settings: readonly { readonly name: string; readonly value: Value }[];
  /** By column; null where no Kafka can be that. */
  readonly cells: readonly (Cell | null)[];
}

export interface Matrix {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** The axes that differ within the campaign, apart from the release. */
export function settingAxes(summary: CampaignSummary): string[] {
  return Object.entries(summary.axes)
    .filter(([name, values]) => values.length > 1 && !isRelease(name))
    .map(([name]) => name);
}

function isRelease(axis: string): boolean {
  return (RELEASE as readonly string[]).includes(axis);
}

export function columnOf({ settings }: Cell): Column {
  return { kafka: String(settings.kafka), control: String(settings.control) };
}

/** Cells in rows of settings and columns of releases, both in the order of the axes. */
export function matrixOf(summary: CampaignSummary): Matrix {
  const axes = settingAxes(summary);
  const place = (axis: string, value: Value | undefined): number => (summary.axes[axis] ?? []).findIndex((one) => one === value);
  const rank = (cell: Cell, names: readonly string[]): number => names.reduce((sum, axis) => sum * 100 + place(axis, cell.settings[axis]), 0);
  const keyOf = (cell: Cell): string => axes.map((axis) => String(cell.settings[axis])).join(" ");
  const byColumn = [...summary.cells].sort((a, b) => rank(a, RELEASE) - rank(b, RELEASE)).map(columnOf);
  const columns = byColumn.filter((column, at) => byColumn.findIndex((other) => sameColumn(other, column)) === at);
  const byRow = [...summary.cells].sort((a, b) => rank(a, axes) - rank(b, axes));
  const firsts = byRow.filter((cell, at) => byRow.findIndex((other) => keyOf(other) === keyOf(cell)) === at);
  const rows = firsts.map((first) => ({
    key: keyOf(first),
    settings: axes.map((name) => ({ name, value: first.settings[name] as Value })),
    cells: columns.map((column) => summary.cells.find((cell) => keyOf(cell) === keyOf(first) && sameColumn(columnOf(cell), column)) ?? null),
  }));
  return { columns, rows };
}

export function sameColumn(a: Column, b: Column): boolean {
  return a.kafka === b.kafka && a.control === b.control;
}

/** The cell with one setting changed; where no Kafka can be that, the one with it that keeps most others. */
export function cellWith(summary: CampaignSummary, from: Cell, axis: string, value: Value): Cell {
  const likeness = (cell: Cell): number => Object.entries(from.settings).filter(([name, had]) => name !== axis && cell.settings[name] === had).length;
  const having = summary.cells.filter((cell) => cell.settings[axis] === value);
  return having.reduce((best, cell) => (likeness(cell) > likeness(best) ? cell : best), having[0] ?? from);
}

/** The shortest runs of a cell that lost a record, one for each cause. */
export function examplesOf(summary: CampaignSummary, cell: Cell): Example[] {
  return summary.examples.filter((one) => one.cell === cell.cell).sort((a, b) => a.steps - b.steps);
}

export interface Alternative {
  readonly comparison: Comparison;
  readonly axis: string;
  readonly from: Value;
  readonly to: Value;
  readonly other: Cell;
  /** Seeds of the same faults that lost a record here alone, and there alone. */
  readonly onlyHere: number;
  readonly onlyThere: number;
}

/** What else was run on the same seeds, with one setting changed; what differs stands first. */
export function alternativesOf(summary: CampaignSummary, cell: Cell): Alternative[] {
  return summary.comparisons
    .flatMap((comparison): Alternative[] => {
      const at = comparison.cells.indexOf(cell.cell);
      const other = summary.cells.find((one) => one.cell === comparison.cells[at === 0 ? 1 : 0]);
      if (at < 0 || other === undefined) return [];
      const [first, second] = comparison.values;
      const isFirst = at === 0;
      return [
        {
          comparison,
          axis: comparison.axis,
          from: (isFirst ? first : second) as Value,
          to: (isFirst ? second : first) as Value,
          other,
          onlyHere: isFirst ? comparison.only_first : comparison.only_second,
          onlyThere: isFirst ? comparison.only_second : comparison.only_first,
        },
      ];
    })
    .sort((a, b) => Number(b.comparison.differs) - Number(a.comparison.differs));
}

/** The curves of a chart by what they count: of a row of the matrix, in the order of its columns. */
export function curvesOf(summary: CampaignSummary, row: Row, by: Curve["by"]): { readonly cell: Cell; readonly curve: Curve }[] {
  return row.cells.flatMap((cell) => {
    const curve = summary.survival.find((one) => cell !== null && one.cell === cell.cell && one.by === by);
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

/** Rows of text as a file that spreadsheets open (RFC 4180). */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  const field = (value: string | number | null): string => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}
