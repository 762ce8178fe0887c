/**
 * Partitions side by side: a column for each, with its own offset axis. Rows are brokers and have the
 * same place in every column.
 */

import { sharedRow } from "./side-by-side";
import { layoutStage, type StageLayout } from "./stage";
import type { StageRequest } from "./stage-request";

/** The room of the brokers' names, left of all columns. */
const NAMES = 236;
/** The narrowest column, which has room for six cells. */
const LEAST_WIDTH = 288;
const MOST_COLUMNS = 3;

/** The position of each column's offsets, as the user moved and unfolded them. */
export type ColumnView = Pick<StageRequest, "scrolledTo" | "opened" | "looksAt">;

/** Whether there is room for so many partitions side by side. */
export function fitSideBySide(width: number, partitions: number): boolean {
  return (
    partitions > 1 && partitions <= MOST_COLUMNS && (width - NAMES) / partitions >= LEAST_WIDTH
  );
}

/** The layout of each partition, from left to right. */
export function layoutColumns(
  request: StageRequest,
  partitions: readonly string[],
  viewOf: (partition: string) => ColumnView,
): StageLayout[] {
  const wide = Math.floor((request.width - NAMES) / partitions.length);
  const requests = partitions.map((partition, index): StageRequest => {
    const { scrolledTo, opened, looksAt } = viewOf(partition);
    const from = NAMES + index * wide;
    const to = index === partitions.length - 1 ? request.width : from + wide;
    return {
      ...request,
      scrolledTo,
      opened,
      looksAt: looksAt ?? null,
      partition,
      column: { from, to, partitions, first: index === 0 },
    };
  });
  const alone = requests.map(layoutStage);
  if (agree(alone)) return alone;
  return requests.map((own, index) => {
    const layout = alone[index] as StageLayout;
    return layoutStage({
      ...own,
      shared: {
        rows: new Map(layout.rows.map(({ broker }) => [broker, sharedRow(layout, alone, broker)])),
      },
    });
  });
}

/** The column at this distance from the stage's left edge; null over the names. */
export function columnAt(columns: readonly StageLayout[], x: number): StageLayout | null {
  return (
    columns.find(({ column, width }) => column !== null && x >= column.from && x < width) ?? null
  );
}

/** Whether each row has the same place in all columns. */
function agree(columns: readonly StageLayout[]): boolean {
  const [first] = columns;
  return columns.every(({ rows }) =>
    rows.every(({ y, height, cellY }, index) => {
      const row = first?.rows[index];
      return y === row?.y && height === row.height && cellY === row.cellY;
    }),
  );
}
