/**
 * The minimap of a long log: all offsets on one line for each replica, and the part that the stage
 * shows.
 */

import type { Frame } from "../trace";
import { foldsInView, type OffsetAxis } from "./offset-axis";
import { tintOf } from "./epoch-brackets";

const PADDING = 5;
/** From this number of replicas on, their lines are thin. */
const MANY = 4;

export interface MinimapSpan {
  readonly x: number;
  readonly width: number;
}

export interface MinimapRow {
  readonly broker: number;
  readonly y: number;
  readonly height: number;
  /** One span for each epoch. */
  readonly epochs: readonly (MinimapSpan & { readonly tint: number })[];
  /** The offsets at which it differs from the leader. */
  readonly diverging: readonly MinimapSpan[];
  readonly highWatermarkX: number | null;
}

export interface MinimapLayout {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly MinimapRow[];
  /** The ranges that the stage shows; the offsets between them are folded. */
  readonly shown: readonly MinimapSpan[];
}

/** Null if the stage shows every offset. */
export function layoutMinimap(
  frame: Frame,
  partition: string,
  brokers: readonly number[],
  axis: OffsetAxis,
): MinimapLayout | null {
  if (axis.folds.length === 0 && axis.places <= axis.shownPlaces) return null;
  const width = axis.shownPlaces * axis.pitch;
  const { lowest, highest } = axis;
  const perOffset = width / (highest - lowest + 1);
  const x = (offset: number) =>
    (Math.max(lowest, Math.min(highest + 1, offset)) - lowest) * perOffset;
  /** From one offset up to, but excluding, another; never too thin to be visible. */
  const span = (from: number, to: number): MinimapSpan => ({
    x: x(from),
    width: Math.max(1.5, x(to) - x(from)),
  });
  const thickness = brokers.length < MANY ? 5 : 3;

  const rows = brokers.flatMap((broker, index): MinimapRow[] => {
    const replica = frame.state.replicas[partition]?.[String(broker)];
    if (replica === undefined) return [];
    const { log_start_offset: start, log_end_offset: end } = replica;
    const epochs =
      replica.epoch_cache === null || replica.epoch_cache.length === 0
        ? [[0, start] as const]
        : replica.epoch_cache;
    return [
      {
        broker,
        y: PADDING + index * (thickness + 2),
        height: thickness,
        epochs: epochs.flatMap(([epoch, from], at) => {
          const to = epochs[at + 1]?.[1] ?? end;
          return to > Math.max(from, start)
            ? [{ ...span(Math.max(from, start), to), tint: tintOf(epoch).tint }]
            : [];
        }),
        diverging: runsOf(replica.diverging_offsets).map(([from, to]) => span(from, to + 1)),
        highWatermarkX: replica.high_watermark === null ? null : x(replica.high_watermark),
      },
    ];
  });
  return {
    width,
    height: 2 * PADDING + brokers.length * (thickness + 2) - 2,
    rows,
    shown: shownStretches(axis).map(([from, to]) => span(from, to + 1)),
  };
}

/** The offset at a position of the minimap, from 0 (left edge) to 1 (right edge). */
export function offsetAt(
  { lowest, highest }: Pick<OffsetAxis, "lowest" | "highest">,
  share: number,
): number {
  return Math.max(lowest, Math.min(highest, lowest + Math.floor(share * (highest - lowest + 1))));
}

/** The visible offsets that are not folded, as ranges. */
function shownStretches(axis: OffsetAxis): (readonly [number, number])[] {
  const stretches: (readonly [number, number])[] = [];
  let from = axis.first;
  for (const fold of foldsInView(axis)) {
    if (fold.from > from) stretches.push([from, fold.from - 1]);
    from = fold.to + 1;
  }
  if (from <= axis.last) stretches.push([from, axis.last]);
  return stretches;
}

function runsOf(offsets: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const offset of offsets) {
    const last = runs.at(-1);
    if (last !== undefined && offset === last[1] + 1) last[1] = offset;
    else runs.push([offset, offset]);
  }
  return runs;
}
