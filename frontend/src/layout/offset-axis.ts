/** One x for one offset on every row, what of long logs is folded, and what is in view. */

import type { Frame } from "../trace";
import { foldOffsets, hiddenIn, type Fold } from "./folding";

export const CELL_GAP = 4;
const CELL_WIDTH_MAX = 84;
/** Where the longest log leaves room for it, as on the page of a run. */
const CELL_WIDTH_WIDE = 160;
const CELL_WIDTH_COMFORTABLE = 56;
const CELL_WIDTH_MIN = 40;

export interface OffsetAxis {
  /** Where the cell of the first place in view begins. */
  readonly left: number;
  readonly cellWidth: number;
  readonly pitch: number;
  /** The offsets in view, the last one included, and what is folded among them. */
  readonly first: number;
  readonly last: number;
  /** The offsets that there are, the empty slot behind the longest log included. */
  readonly lowest: number;
  readonly highest: number;
  /** Stretches of offsets that share one place, from left to right; also those out of view. */
  readonly folds: readonly Fold[];
  /** How many places are left of the view, how many it has, and how many there are. */
  readonly hiddenPlaces: number;
  readonly shownPlaces: number;
  readonly places: number;
}

/** Which place an offset has, counted from the lowest; what is inside a fold is in the middle of its place. */
export function placeOf({ lowest, folds }: Pick<OffsetAxis, "lowest" | "folds">, offset: number): number {
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

/** The boundary before an offset: where a high watermark or an end of log of that number stands. */
export function boundaryX(axis: OffsetAxis, offset: number): number {
  return cellX(axis, offset) - CELL_GAP / 2;
}

/** Whether an offset has a cell of its own that is in view. */
export function isInView(axis: OffsetAxis, offset: number): boolean {
  return offset >= axis.first && offset <= axis.last && !isFolded(axis, offset);
}

export function isFolded({ folds }: Pick<OffsetAxis, "folds">, offset: number): boolean {
  return folds.some((fold) => offset >= fold.from && offset <= fold.to);
}

export function foldsInView(axis: OffsetAxis): Fold[] {
  return axis.folds.filter((fold) => fold.from >= axis.first && fold.to <= axis.last);
}

/** The offsets that a partition's rows have to show: from the lowest log start to the longest log's empty slot. */
export function offsetRange(frame: Frame, partition: string): { lowest: number; highest: number } {
  const replicas = Object.values(frame.state.replicas[partition] ?? {});
  if (replicas.length === 0) return { lowest: 0, highest: 0 };
  const cut = frame.events.flatMap((event) => (event.evidence.partition === partition ? (event.evidence.records ?? []) : []));
  const starts = replicas.map((replica) => Math.min(replica.log_start_offset, replica.log[0]?.offset ?? replica.log_start_offset));
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
  /** Offsets worth a place where there is none for all, the most telling first. */
  readonly wanted: readonly number[];
  /** Folds that a person has opened. */
  readonly opened: readonly Fold[];
  /** The place that a person scrolled to; null shows what is wanted most. */
  readonly scrolledTo: number | null;
  /** How far wide cells, with room for a word, may reach; 0 for none. */
  readonly wideRoom?: number;
}

/**
 * Cells as wide as there is room. When even narrow ones do not fit, what is not wanted is folded;
 * when folds were opened, there is a window over the places.
 */
export function layoutOffsetAxis({ lowest, highest, left, width, wanted, opened, scrolledTo, wideRoom = 0 }: AxisRequest): OffsetAxis {
  const slots = highest - lowest + 1;
  const fits = slots * (CELL_WIDTH_MIN + CELL_GAP) <= width + CELL_GAP;
  const smallest = fits || width < 480 ? CELL_WIDTH_MIN : CELL_WIDTH_COMFORTABLE;
  const room = Math.max(2, Math.floor((width + CELL_GAP) / (smallest + CELL_GAP)));
  const folds = foldOffsets({ lowest, highest, room, wanted, opened });
  const places = slots - folds.reduce((hidden, fold) => hidden + hiddenIn(fold) - 1, 0);
  const shownPlaces = Math.min(places, room);
  const comfortable = Math.min(CELL_WIDTH_MAX, Math.floor((width + CELL_GAP) / shownPlaces) - CELL_GAP);
  const wideWidth = Math.min(CELL_WIDTH_WIDE, Math.floor(Math.min(width, wideRoom) / shownPlaces) - CELL_GAP);
  const cellWidth = Math.max(comfortable, wideWidth);
  const sought = scrolledTo ?? placeOf({ lowest, folds }, wanted[0] ?? highest) - Math.floor(shownPlaces / 2);
  const hiddenPlaces = Math.max(0, Math.min(places - shownPlaces, Math.floor(sought)));
  const [first, last] = offsetsAt({ lowest, folds }, hiddenPlaces, hiddenPlaces + shownPlaces - 1);
  return { left, cellWidth, pitch: cellWidth + CELL_GAP, first, last, lowest, highest, folds, hiddenPlaces, shownPlaces, places };
}

/** The first offset of one place and the last offset of another. */
function offsetsAt(axis: Pick<OffsetAxis, "lowest" | "folds">, from: number, to: number): [number, number] {
  const beginningOf = (place: number): number => {
    let offset = axis.lowest + place;
    for (const fold of axis.folds) if (offset > fold.from) offset += fold.to - fold.from;
    return offset;
  };
  return [beginningOf(from), beginningOf(to + 1) - 1];
}

/** The offsets to write above the cells: every one, or every fifth where many are in view. */
export function axisLabels(axis: OffsetAxis): number[] {
  const labels: number[] = [];
  const widest = String(axis.highest).length * 8 + 8;
  const every = axis.pitch >= widest ? 1 : Math.ceil(widest / axis.pitch);
  for (let offset = axis.first; offset <= axis.last; offset += 1) {
    if (offset % every === 0 && !isFolded(axis, offset)) labels.push(offset);
  }
  return labels;
}
