/** A searched grid as the page shows it: columns of releases, rows of settings, a verdict in each cell. */

import type { SearchSummary } from "../service/api";

export type SearchedCell = SearchSummary["cells"][number];
type Value = SearchedCell["settings"][string];

/** How a cell ended. `depth`: nothing was found within the limit of moves. */
export type Ending = "violated" | "exhausted" | "depth" | "cut" | "not_exercised";

export function endingOf({ verdict, complete }: SearchedCell): Ending {
  if (verdict === "none_within_bound") return complete ? "exhausted" : "depth";
  return verdict;
}

export interface SearchedRow {
  /** The key of the row: its settings in the order of the axes. */
  readonly key: string;
  readonly settings: readonly { readonly name: string; readonly value: Value }[];
  /** By column; null if there is no such cell. */
  readonly cells: readonly (SearchedCell | null)[];
}

export interface SearchedMatrix {
  readonly columns: readonly { readonly kafka: string; readonly control: string }[];
  readonly rows: readonly SearchedRow[];
}

/** Cells in rows of settings and columns of releases, both in the order of the grid. */
export function searchedMatrix({ axes, cells }: SearchSummary): SearchedMatrix {
  const varying = Object.keys(axes).filter(
    (name) => !["kafka", "control"].includes(name) && (axes[name] ?? []).length > 1,
  );
  const columnOf = ({ settings }: SearchedCell): string =>
    `${String(settings.kafka)} ${String(settings.control)}`;
  const keyOf = ({ settings }: SearchedCell): string =>
    varying.map((name) => String(settings[name])).join(" ");
  const columns = [...new Set(cells.map(columnOf))];
  const rows = new Map<string, SearchedCell[]>();
  for (const cell of cells) {
    const its = rows.get(keyOf(cell));
    if (its === undefined) rows.set(keyOf(cell), [cell]);
    else its.push(cell);
  }
  return {
    columns: columns.map((column) => {
      const [kafka = "", control = ""] = column.split(" ");
      return { kafka, control };
    }),
    rows: [...rows].map(([key, its]) => ({
      key,
      settings: varying.map((name) => ({ name, value: its[0]?.settings[name] as Value })),
      cells: columns.map((column) => its.find((cell) => columnOf(cell) === column) ?? null),
    })),
  };
}

export interface Sizes {
  readonly violated: number;
  readonly exhausted: number;
  readonly cut: number;
  readonly states: number;
  readonly hours: number;
}

/** The totals of a searched grid; what ended at the limit of moves counts as cut. */
export function sizesOf({ cells }: SearchSummary): Sizes {
  const count = (...endings: Ending[]): number =>
    cells.filter((cell) => endings.includes(endingOf(cell))).length;
  const sum = (of: (cell: SearchedCell) => number): number =>
    cells.reduce((total, cell) => total + of(cell), 0);
  return {
    violated: count("violated"),
    exhausted: cells.filter((cell) => cell.complete).length,
    cut: cells.length - count("violated") - cells.filter((cell) => cell.complete).length,
    states: sum((cell) => cell.states),
    hours: sum((cell) => cell.cpu_ms) / 3_600_000,
  };
}
