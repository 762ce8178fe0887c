/**
 * The offset axis: one x for each offset on every row, the folds of long logs, and the visible
 * range.
 */

import type { Frame } from "../trace";
import { foldOffsets, hiddenIn, isWithin, type Fold } from "./folding";

export const CELL_GAP = 4;
const CELL_WIDTH_MAX = 84;
/** If the longest log leaves room for it, as on the page of a run. */
const CELL_WIDTH_WIDE = 160;
const CELL_WIDTH_COMFORTABLE = 56;
const CELL_WIDTH_MIN = 40;

export interface OffsetAxis {
  /** The left edge of the first visible place. */
  readonly left: number;
  readonly cellWidth: number;
  readonly pitch: number;
  /** The visible offsets (inclusive), and the folds among them. */
  readonly first: number;
  readonly last: number;
  /** All offsets, including the empty slot after the longest log. */
  readonly lowest: number;
  readonly highest: number;
  /** Ranges of offsets that share one place, from left to right, including those out of view. */
  readonly folds: readonly Fold[];
  /** The number of places left of the view, in the view, and in total. */
  readonly hiddenPlaces: number;
  readonly shownPlaces: number;
  readonly places: number;
}

/**
 * The place of an offset, counted from the lowest; an offset inside a fold is in the middle of its
 * place.
 */
export function placeOf(
  { lowest, folds }: Pick<OffsetAxis, "lowest" | "folds">,
  offset: number,
): number {
  let place = offset - lowest;
  for (const fold of folds) {
    if (offset <= fold.from) break;
    if (offset <= fold.to) return place - (offset - fold.from) + 0.5;
    place -= fold.to - fold.from;
  }
  return place;
}

/** The left edge of an offset's cell, or of the fold that begins there. */
export function cellX(axis: OffsetAxis, offset: number): number {
  return axis.left + (placeOf(axis, offset) - axis.hiddenPlaces) * axis.pitch;
}

/** The boundary before an offset: the position of a high watermark or log end with this value. */
export function boundaryX(axis: OffsetAxis, offset: number): number {
  return cellX(axis, offset) - CELL_GAP / 2;
}

/** Whether an offset has a visible cell of its own. */
export function isInView(axis: OffsetAxis, offset: number): boolean {
  return offset >= axis.first && offset <= axis.last && !isFolded(axis, offset);
}

export function isFolded({ folds }: Pick<OffsetAxis, "folds">, offset: number): boolean {
  return folds.some((fold) => isWithin(fold, offset));
}

export function foldsInView(axis: OffsetAxis): Fold[] {
  return axis.folds.filter((fold) => fold.from >= axis.first && fold.to <= axis.last);
}

/**
 * The offsets of a partition's rows: from the lowest log start to the empty slot after the longest
 * log.
 */
export function offsetRange(frame: Frame, partition: string): { lowest: number; highest: number } {
  const replicas = Object.values(frame.state.replicas[partition] ?? {});
  if (replicas.length === 0) return { lowest: 0, highest: 0 };
  const cut = frame.events.flatMap((event) =>
    event.subject.partition === partition ? (event.subject.records ?? []) : [],
  );
  const starts = replicas.map((replica) =>
    Math.min(replica.log_start_offset, replica.log[0]?.offset ?? replica.log_start_offset),
  );
  const ends = replicas.map((replica) => replica.log_end_offset);
  return {
    lowest: Math.min(...starts),
    highest: Math.max(...ends, ...cut.map((record) => record.offset)),
  };
}

export interface AxisRequest {
  readonly lowest: number;
  readonly highest: number;
  readonly left: number;
  /** The room for cells. */
  readonly width: number;
  /** The offsets to show if there is no room for all, the most important first. */
  readonly wanted: readonly number[];
  /** The folds that the user has opened. */
  readonly opened: readonly Fold[];
  /** The place that the user scrolled to; null: the most important offsets are shown. */
  readonly scrolledTo: number | null;
  /** The room for wide cells, which contain a word; 0 for none. */
  readonly wideRoom?: number;
  /** The largest width of a wide cell; omitted: that of the page of a run. */
  readonly widest?: number;
}

/**
 * Cells as wide as there is room. If even narrow ones do not fit, less important offsets are
 * folded; if folds were opened, the axis can be scrolled.
 */
export function layoutOffsetAxis({
  lowest,
  highest,
  left,
  width,
  wanted,
  opened,
  scrolledTo,
  wideRoom = 0,
  widest = CELL_WIDTH_WIDE,
}: AxisRequest): OffsetAxis {
  const slots = highest - lowest + 1;
  const fits = slots * (CELL_WIDTH_MIN + CELL_GAP) <= width + CELL_GAP;
  const smallest = fits || width < 480 ? CELL_WIDTH_MIN : CELL_WIDTH_COMFORTABLE;
  const room = Math.max(2, Math.floor((width + CELL_GAP) / (smallest + CELL_GAP)));
  const folds = foldOffsets({ lowest, highest, room, wanted, opened });
  const places = slots - folds.reduce((hidden, fold) => hidden + hiddenIn(fold) - 1, 0);
  const shownPlaces = Math.min(places, room);
  const comfortable = Math.min(
    CELL_WIDTH_MAX,
    Math.floor((width + CELL_GAP) / shownPlaces) - CELL_GAP,
  );
  const wideWidth = Math.min(
    widest,
    Math.floor(Math.min(width, wideRoom) / shownPlaces) - CELL_GAP,
  );
  const cellWidth = Math.max(comfortable, wideWidth);
  const sought =
    scrolledTo ?? placeOf({ lowest, folds }, wanted[0] ?? highest) - Math.floor(shownPlaces / 2);
  const hiddenPlaces = Math.max(0, Math.min(places - shownPlaces, Math.floor(sought)));
  const [first, last] = offsetsAt({ lowest, folds }, hiddenPlaces, hiddenPlaces + shownPlaces - 1);
  return {
    left,
    cellWidth,
    pitch: cellWidth + CELL_GAP,
    first,
    last,
    lowest,
    highest,
    folds,
    hiddenPlaces,
    shownPlaces,
    places,
  };
}

/** The first offset of one place and the last offset of another. */
function offsetsAt(
  axis: Pick<OffsetAxis, "lowest" | "folds">,
  from: number,
  to: number,
): [number, number] {
  const beginningOf = (place: number): number => {
    let offset = axis.lowest + place;
    for (const fold of axis.folds) if (offset > fold.from) offset += fold.to - fold.from;
    return offset;
  };
  return [beginningOf(from), beginningOf(to + 1) - 1];
}

/** The offsets to label above the cells: every one, or every fifth if many are visible. */
export function axisLabels(axis: OffsetAxis): number[] {
  const labels: number[] = [];
  const widest = String(axis.highest).length * 8 + 8;
  const every = axis.pitch >= widest ? 1 : Math.ceil(widest / axis.pitch);
  for (let offset = axis.first; offset <= axis.last; offset += 1) {
    if (offset % every === 0 && !isFolded(axis, offset)) labels.push(offset);
  }
  return labels;
}
