/** One x for one offset on every row, and the part of a long log that is in view. */

import type { Frame } from "../trace";

export const CELL_GAP = 4;
const CELL_WIDTH_MAX = 84;
const CELL_WIDTH_COMFORTABLE = 56;
const CELL_WIDTH_MIN = 40;

export interface OffsetAxis {
  /** Where the cell of the first offset in view begins. */
  readonly left: number;
  readonly cellWidth: number;
  readonly pitch: number;
  /** The offsets in view, the last one included. */
  readonly first: number;
  readonly last: number;
  /** The offsets that there are, the empty slot behind the longest log included. */
  readonly lowest: number;
  readonly highest: number;
}

/** The left edge of an offset's cell. */
export function cellX(axis: OffsetAxis, offset: number): number {
  return axis.left + (offset - axis.first) * axis.pitch;
}

/** The boundary before an offset: where a high watermark or an end of log of that number stands. */
export function boundaryX(axis: OffsetAxis, offset: number): number {
  return cellX(axis, offset) - CELL_GAP / 2;
}

export function isInView(axis: OffsetAxis, offset: number): boolean {
  return offset >= axis.first && offset <= axis.last;
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
  /** The offset that a person scrolled to; null follows the end of the logs. */
  readonly scrolledTo: number | null;
}

/** Cells as wide as there is room, and when even narrow ones do not fit, a window over them. */
export function layoutOffsetAxis({ lowest, highest, left, width, scrolledTo }: AxisRequest): OffsetAxis {
  const slots = highest - lowest + 1;
  const even = Math.floor((width + CELL_GAP) / slots) - CELL_GAP;
  if (even >= CELL_WIDTH_MIN) {
    const cellWidth = Math.min(CELL_WIDTH_MAX, even);
    return { left, cellWidth, pitch: cellWidth + CELL_GAP, first: lowest, last: highest, lowest, highest };
  }
  const smallest = width < 480 ? CELL_WIDTH_MIN : CELL_WIDTH_COMFORTABLE;
  const shown = Math.max(2, Math.floor((width + CELL_GAP) / (smallest + CELL_GAP)));
  const cellWidth = Math.min(CELL_WIDTH_MAX, Math.floor((width + CELL_GAP) / shown) - CELL_GAP);
  const lastFirst = highest - shown + 1;
  const first = Math.max(lowest, Math.min(lastFirst, scrolledTo ?? lastFirst));
  return { left, cellWidth, pitch: cellWidth + CELL_GAP, first, last: first + shown - 1, lowest, highest };
}

/** The offsets to write above the cells: every one, or every fifth where many are in view. */
export function axisLabels(axis: OffsetAxis): number[] {
  const labels: number[] = [];
  const widest = String(axis.highest).length * 8 + 8;
  const every = axis.pitch >= widest ? 1 : Math.ceil(widest / axis.pitch);
  for (let offset = axis.first; offset <= axis.last; offset += 1) {
    if (offset % every === 0) labels.push(offset);
  }
  return labels;
}
