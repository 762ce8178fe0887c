/** The brackets of the leader epochs below a log, with their labels. */

import type { Replica } from "../trace";
import { boundaryX, type OffsetAxis } from "./offset-axis";
import { LABEL_SIZE, textWidth } from "./text";

/** The number of epoch tints; later epochs reuse them, with hatching. */
const EPOCH_TINTS = 6;

/** Pixels from left to right. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface EpochLayout extends Span {
  readonly epoch: number;
  readonly start: number;
  readonly tint: number;
  readonly wrapped: boolean;
  /** Begins left of the visible part. */
  readonly open: boolean;
  readonly label: "full" | "short";
  readonly labelX: number;
  readonly labelEnd: number;
  /** 0 is the line directly below the bracket; labels that would overlap are lower. */
  readonly line: number;
}

export function tintOf(epoch: number): { tint: number; wrapped: boolean } {
  return { tint: epoch % EPOCH_TINTS, wrapped: epoch >= EPOCH_TINTS };
}

/**
 * A bracket for each epoch, from its start offset to the next one's; an epoch without records is
 * as wide as a cell. Without `epochLabel` the labels are only numbers.
 */
export function layoutEpochs(
  axis: OffsetAxis,
  epochLabel: ((epoch: number, start: number) => string) | null,
  replica: Replica,
): EpochLayout[] {
  const entries = replica.epoch_cache ?? [];
  const laid: EpochLayout[] = [];
  const lineEnds: number[] = [];
  for (const [index, [epoch, start]] of entries.entries()) {
    const nextStart = entries[index + 1]?.[1];
    const end = Math.max(nextStart ?? replica.log_end_offset, start);
    if (start > axis.last || (end <= axis.first && start < axis.first)) continue;
    const { from, to } = bracketOf(axis, start, end);
    const room = nextStart === undefined ? Infinity : boundaryX(axis, nextStart) - from - 4;
    const { label, width } = fittingLabel(epoch, start, room, epochLabel);
    // A label that would extend beyond the stage is moved to the left.
    const labelX = Math.max(axis.left, Math.min(from + 4, rightEdge(axis) + 10 - width));
    const labelEnd = labelX + width;
    const free = lineEnds.findIndex((lineEnd) => lineEnd <= labelX);
    const line = free < 0 ? lineEnds.length : free;
    lineEnds[line] = labelEnd + 6;
    laid.push({
      epoch,
      start,
      from,
      to,
      ...tintOf(epoch),
      open: start < axis.first,
      label,
      labelX,
      labelEnd,
      line,
    });
  }
  return laid;
}

function rightEdge(axis: OffsetAxis): number {
  return boundaryX(axis, axis.last + 1);
}

/** The visible part of an epoch's bracket. */
function bracketOf(axis: OffsetAxis, start: number, end: number): Span {
  const from = boundaryX(axis, Math.max(start, axis.first)) + 2;
  const to = end > start ? boundaryX(axis, end) - 4 : from + axis.cellWidth;
  return { from, to: Math.max(Math.min(rightEdge(axis) - 2, to), from + 6) };
}

/** The whole label of an epoch if there is room for it, otherwise the short one, and its width. */
function fittingLabel(
  epoch: number,
  start: number,
  room: number,
  epochLabel: ((epoch: number, start: number) => string) | null,
): { readonly label: EpochLayout["label"]; readonly width: number } {
  const short = textWidth(`${epoch} → ${start}`, LABEL_SIZE, true);
  if (epochLabel === null) return { label: "short", width: short };
  const full = textWidth(epochLabel(epoch, start), LABEL_SIZE, true);
  return full <= room ? { label: "full", width: full } : { label: "short", width: short };
}

/** The first line below the brackets on which none of these labels is. */
export function freeLine(taken: readonly EpochLayout[]): number {
  let line = 0;
  while (taken.some((entry) => entry.line === line)) line += 1;
  return line;
}
