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
const LANE = 36;
const MINIMAP_PADDING = 10;

/** Frames that are measured; of a longer run, this many of them at equal distances. */
const MEASURED = 120;

export function plannedHeight(frames: readonly Frame[], layoutOf: (frame: Frame) => StageLayout): number {
  const every = Math.max(1, Math.ceil(frames.length / MEASURED));
  // The last frame has the most clients.
  const measured = frames.filter((_, at) => at % every === 0 || at === frames.length - 1);
  return Math.max(0, ...measured.map((frame) => heightAt(frame, layoutOf(frame))));
}

function heightAt(frame: Frame, { partition, rows, axis, height }: StageLayout): number {
  const { clients, partitions } = frame.state;
  const of = (records: readonly { readonly as: string; readonly partition: string }[]) => records.filter((record) => record.partition === partition).map((record) => record.as);
  const producers = new Set(of(clients.produced));
  const consumers = new Set([...of(clients.consumed), ...Object.entries(clients.consumers).flatMap(([name, next]) => (next[partition] === undefined ? [] : [name]))]);
  const map = layoutMinimap(frame, partition, rows.map((row) => row.broker), axis);
  return (
    EDGES +
    (Object.keys(frame.properties).length > 0 ? STRIP : 0) +
    (Object.keys(partitions).length > 1 ? TABS : 0) +
    height +
    (map === null ? 0 : map.height + MINIMAP_PADDING) +
    (1 + producers.size + consumers.size) * LANE
  );
}
