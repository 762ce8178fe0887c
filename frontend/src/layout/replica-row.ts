/** The positions of everything in one replica's row. */

import { isDown, type Replica } from "../trace";
import type { Rectangle } from "./rectangle";
import { freeLine, layoutEpochs, type EpochLayout, type Span } from "./epoch-brackets";
import { FLAG_BAND, layoutFlagBand, type BandRequest, type FlagBandLayout } from "./flag-band";
import { layoutLogCells, type LogCells, type LogRequest } from "./log-cells";
import { boundaryX, cellX, CELL_GAP, isInView, type OffsetAxis } from "./offset-axis";
import { LABEL_LINE } from "./text";
import { layoutTransactions, transactionsHeight, type TransactionLayout } from "./transactions";

/** Of the bars below a log. */
const UNDER_CELLS = 12;

/** What is below the cells. */
interface UnderCells {
  readonly epochs: readonly EpochLayout[];
  readonly epochY: number;
  /** Below the brackets of the epochs. */
  readonly transactions: readonly TransactionLayout[];
  readonly transactionsY: number;
  /**
   * The line below the brackets at which no epoch's label overlaps the files button; -1 is the line
   * of the brackets, if there are none.
   */
  readonly filesLine: number;
  readonly below: number;
}

/** The last stable offset is there while a transaction below the high watermark is open. */
export interface RowLayout extends LogCells, UnderCells, Omit<FlagBandLayout, "extra"> {
  readonly broker: number;
  readonly replica: Replica | null;
  readonly y: number;
  readonly height: number;
  readonly cellY: number;
  readonly cellHeight: number;
  readonly down: boolean;
  readonly water: Rectangle | null;
  readonly logEnd: {
    readonly offset: number;
    readonly x: number;
    readonly slot: Rectangle | null;
  } | null;
  /** The wall before a log whose beginning has been deleted. */
  readonly wallX: number | null;
  readonly flushed: Span | null;
  readonly unflushed: Span | null;
  readonly withEpochs: boolean;
  readonly unseen: readonly number[];
  readonly unseenX: number;
  /** The numbers of offsets of this log that are out of view on either side. */
  readonly hiddenBefore: number;
  readonly hiddenAfter: number;
}

export interface RowRequest extends BandRequest, LogRequest {
  readonly y: number;
  readonly height: number;
  /** The distance from the cells to the brackets of their epochs. */
  readonly toEpochs: number;
  /** Whether the epochs of the log are shown below it. */
  readonly withEpochs: boolean;
  /** The top of the flags' band, measured from the row's top. */
  readonly bandY: number;
  /** The left edge of the files button below the log; null if it is elsewhere, or there is none. */
  readonly filesX: number | null;
  readonly epochLabel: ((epoch: number, start: number) => string) | null;
}

export function layoutReplicaRow(request: RowRequest): RowLayout {
  const { frame, partition, broker, axis, y, cellHeight } = request;
  const replica = frame.state.replicas[partition]?.[String(broker)] ?? null;
  if (replica === null) return emptyRow(request);

  const highWatermarkOffset = replica.high_watermark ?? replica.checkpoints.high_watermark;
  const { log_start_offset: start, log_end_offset: end } = replica;
  const band = layoutFlagBand(request, replica, highWatermarkOffset);
  const cellY = y + request.bandY + FLAG_BAND + band.extra;
  const log = layoutLogCells(request, replica, highWatermarkOffset, cellY);

  return {
    broker,
    replica,
    y,
    height: request.height,
    cellY,
    cellHeight,
    down: isDown(replica.broker_state),
    ...log,
    water: waterOf(replica, axis, cellY, cellHeight),
    highWatermark:
      band.highWatermark === null
        ? null
        : { ...band.highWatermark, flag: { ...band.highWatermark.flag, y: cellY - FLAG_BAND } },
    lastStable: band.lastStable,
    logEnd: logEndOf(request, end, log, cellY),
    wallX: start > 0 && isInView(axis, start) ? boundaryX(axis, start) : null,
    flushed: barBetween(axis, start, replica.flushed),
    unflushed: barBetween(axis, Math.max(start, replica.flushed), end),
    withEpochs: request.withEpochs,
    ...layoutUnderCells(request, replica, cellY),
    beliefs: band.beliefs,
    unseen: request.withBeliefs && replica.role === "leader" ? neverSeen(replica) : [],
    unseenX: cellX(axis, Math.min(axis.last, Math.max(end, axis.first)) + 1) + 8,
    hiddenBefore: Math.max(0, Math.min(axis.first, end) - start),
    hiddenAfter: Math.max(0, end - 1 - axis.last),
  };
}

/** The boundary before an offset, or the nearest one in view. */
function nearestX(axis: OffsetAxis, offset: number): number {
  return Math.max(
    boundaryX(axis, axis.first),
    Math.min(boundaryX(axis, axis.last + 1), boundaryX(axis, offset)),
  );
}

/** The visible part of a bar under the cells between two offsets. */
function barBetween(axis: OffsetAxis, from: number, to: number): Span | null {
  const [left, right] = [nearestX(axis, from), nearestX(axis, to)];
  return right > left ? { from: left + CELL_GAP / 2 + 1, to: right - CELL_GAP / 2 - 1 } : null;
}

/** The surface behind the committed records. */
function waterOf(
  replica: Replica,
  axis: OffsetAxis,
  cellY: number,
  cellHeight: number,
): Rectangle | null {
  if (replica.high_watermark === null) return null;
  const left = nearestX(axis, replica.log_start_offset);
  const right = nearestX(axis, replica.high_watermark);
  return right > left
    ? { x: left - 4, y: cellY - 5, width: right - left + 4, height: cellHeight + 10 }
    : null;
}

/** The end of the log, with the empty slot of its next record unless a ghost is there. */
function logEndOf(
  { axis, cellHeight }: RowRequest,
  offset: number,
  { ghosts }: LogCells,
  cellY: number,
): RowLayout["logEnd"] {
  if (!isInView(axis, offset)) return null;
  const taken = ghosts.some((ghost) => ghost.record.offset === offset);
  const slot = { x: cellX(axis, offset), y: cellY, width: axis.cellWidth, height: cellHeight };
  return { offset, x: boundaryX(axis, offset), slot: taken ? null : slot };
}

/** The brackets of epochs, then those of transactions. */
function layoutUnderCells(request: RowRequest, replica: Replica, cellY: number): UnderCells {
  const { axis, cellHeight, withEpochs } = request;
  const epochY = cellY + cellHeight + request.toEpochs;
  const epochs = withEpochs ? layoutEpochs(axis, request.epochLabel, replica) : [];
  const filesLine = filesLineOf(request, replica, epochs);
  const lines = Math.max(filesLine, ...epochs.map((entry) => entry.line));
  const transactions = withEpochs ? layoutTransactions(replica, axis) : [];
  const below = withEpochs ? epochY + 16 + lines * LABEL_LINE : cellY + cellHeight + UNDER_CELLS;
  return {
    epochs,
    epochY,
    transactions,
    transactionsY: below + 7,
    filesLine,
    below: below + transactionsHeight(transactions),
  };
}

function filesLineOf(
  { filesX }: RowRequest,
  replica: Replica,
  epochs: readonly EpochLayout[],
): number {
  if (filesX === null) return 0;
  // If room is short, a log without epochs has no label for that.
  if (replica.epoch_cache === null) return -1;
  return freeLine(epochs.filter((entry) => entry.labelEnd > filesX));
}

function emptyRow({ broker, y, height, bandY, cellHeight, toEpochs }: RowRequest): RowLayout {
  const cellY = y + bandY + FLAG_BAND;
  return {
    broker,
    replica: null,
    y,
    height,
    cellY,
    cellHeight,
    down: false,
    cells: [],
    ghosts: [],
    folds: [],
    water: null,
    highWatermark: null,
    lastStable: null,
    logEnd: null,
    wallX: null,
    flushed: null,
    unflushed: null,
    epochs: [],
    withEpochs: false,
    epochY: cellY + cellHeight + toEpochs,
    transactions: [],
    transactionsY: 0,
    filesLine: 0,
    beliefs: [],
    unseen: [],
    unseenX: 0,
    hiddenBefore: 0,
    hiddenAfter: 0,
    below: cellY + cellHeight,
  };
}

function neverSeen(replica: Replica): number[] {
  return Object.entries(replica.followers)
    .filter(([, belief]) => belief.log_end_offset === null || belief.log_end_offset < 0)
    .map(([broker]) => Number(broker))
    .sort((a, b) => a - b);
}
