/** The brackets of the leader epochs below a log, with their labels. */

import type { Replica } from "../trace";
import { boundaryX, type OffsetAxis } from "./offset-axis";
import { LABEL_SIZE, textWidth } from "./text";

/** The number of epoch tints; later epochs reuse them, with hatching. */
export const EPOCH_TINTS = 6;

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
  const rightEdge = boundaryX(axis, axis.last + 1);
  entries.forEach(([epoch, start], index) => {
    const next = entries[index + 1]?.[1] ?? replica.log_end_offset;
    const end = Math.max(next, start);
    if (start > axis.last || (end <= axis.first && start < axis.first)) return;
    const from = boundaryX(axis, Math.max(start, axis.first)) + 2;
    const to = Math.min(
      rightEdge - 2,
      end > start ? boundaryX(axis, end) - 4 : from + axis.cellWidth,
    );
    const short = textWidth(`${epoch} → ${start}`, LABEL_SIZE, true);
    const full =
      epochLabel === null ? short : textWidth(epochLabel(epoch, start), LABEL_SIZE, true);
    const nextStart = entries[index + 1]?.[1];
    const room = nextStart === undefined ? Infinity : boundaryX(axis, nextStart) - from - 4;
    const label =
      epochLabel === null
        ? "short"
        : full <= Math.max(room, 0)
          ? "full"
          : short <= room || index < entries.length - 1
            ? "short"
            : "full";
    // A label that would extend beyond the stage is moved to the left.
    const labelX = Math.max(
      axis.left,
      Math.min(from + 4, rightEdge + 10 - (label === "full" ? full : short)),
    );
    let line = lineEnds.findIndex((lineEnd) => lineEnd <= labelX);
    if (line < 0) line = lineEnds.length;
    const labelEnd = labelX + (label === "full" ? full : short);
    lineEnds[line] = labelEnd + 6;
    laid.push({
      epoch,
      start,
      from,
      to: Math.max(to, from + 6),
      ...tintOf(epoch),
      open: start < axis.first,
      label,
      labelX,
      labelEnd,
      line,
    });
  });
  return laid;
}

/** The first line below the brackets on which none of these labels is. */
export function freeLine(taken: readonly EpochLayout[]): number {
  let line = 0;
  while (taken.some((entry) => entry.line === line)) line += 1;
  return line;
}
