/** The height of the stage at its tallest in a run, without drawing it, so that what is below it can be planned once. */

import { layoutMinimap } from "../../layout/minimap";
import type { StageLayout } from "../../layout/stage";
import type { Frame } from "../../trace";

/**
 * The heights of the parts around the logs when each of them takes one line, with their borders. What
 * takes another line for a few steps, as the cards of messages to the controller do, is scrolled to.
 */
const EDGES = 2;
const STRIP = 37;
const TABS = 41;
/** The heads of columns: on one line if they are wide, otherwise on two from the start, so that rows keep their places. */
const HEAD_OF_WIDE = 38;
const HEAD = 56;
const WIDE_FROM = 520;
const LANE = 36;
const MINIMAP_PADDING = 10;

/** Frames that are measured; of a longer run, this many of them at equal distances. */
const MEASURED = 120;

export function plannedHeight(
  frames: readonly Frame[],
  layoutOf: (frame: Frame) => readonly StageLayout[],
): number {
  const every = Math.max(1, Math.ceil(frames.length / MEASURED));
  // The last frame has the most clients.
  const measured = frames.filter((_, at) => at % every === 0 || at === frames.length - 1);
  return Math.max(0, ...measured.map((frame) => heightAt(frame, layoutOf(frame))));
}

/** The height of the head of a column, without the line below it. */
export function headHeight({ width, column }: Pick<StageLayout, "width" | "column">): number {
  return width - (column?.from ?? 0) < WIDE_FROM ? HEAD : HEAD_OF_WIDE;
}

function heightAt(frame: Frame, columns: readonly StageLayout[]): number {
  const { clients, partitions } = frame.state;
  const shown = new Set(columns.map(({ partition }) => partition));
  const of = (records: readonly { readonly as: string; readonly partition: string }[]) =>
    records.filter((record) => shown.has(record.partition)).map((record) => record.as);
  const producers = new Set(of(clients.produced));
  const consumers = new Set([
    ...of(clients.consumed),
    ...Object.entries(clients.consumers).flatMap(([name, next]) =>
      Object.keys(next).some((partition) => shown.has(partition)) ? [name] : [],
    ),
  ]);
  const maps = columns.map(({ partition, rows, axis }) =>
    layoutMinimap(
      frame,
      partition,
      rows.map((row) => row.broker),
      axis,
    ),
  );
  return (
    EDGES +
    (Object.keys(frame.properties).length > 0 ? STRIP : 0) +
    (columns.length > 1
      ? Math.max(...columns.map(headHeight)) + 1
      : Object.keys(partitions).length > 1
        ? TABS
        : 0) +
    Math.max(0, ...columns.map(({ height }) => height)) +
    Math.max(0, ...maps.map((map) => (map === null ? 0 : map.height + MINIMAP_PADDING))) +
    (1 + producers.size + consumers.size) * LANE
  );
}
