/** The positions of everything in one replica's row. */

import type { Frame, Replica } from "../trace";
import type { Rectangle } from "./rectangle";
import { freeLine, layoutEpochs, type EpochLayout, type Span } from "./epoch-brackets";
import {
  FLAG_BAND,
  layoutFlagBand,
  type BeliefLabel,
  type BeliefLayout,
  type HighWatermarkLayout,
  type StableOffsetLayout,
} from "./flag-band";
import { layoutLogCells, type LogCells } from "./log-cells";
import { boundaryX, cellX, CELL_GAP, isInView, type OffsetAxis } from "./offset-axis";
import { LABEL_LINE } from "./text";
import { layoutTransactions, transactionsHeight, type TransactionLayout } from "./transactions";

/** Of the bars below a log. */
const UNDER_CELLS = 12;

export interface RowLayout extends LogCells {
  readonly broker: number;
  readonly replica: Replica | null;
  readonly y: number;
  readonly height: number;
  readonly cellY: number;
  readonly cellHeight: number;
  readonly down: boolean;
  readonly water: Rectangle | null;
  readonly highWatermark: HighWatermarkLayout | null;
  /** The last stable offset, while a transaction below the high watermark is open. */
  readonly lastStable: StableOffsetLayout | null;
  readonly logEnd: {
    readonly offset: number;
    readonly x: number;
    readonly slot: Rectangle | null;
  } | null;
  /** The wall before a log whose beginning has been deleted. */
  readonly wallX: number | null;
  readonly flushed: Span | null;
  readonly unflushed: Span | null;
  readonly epochs: readonly EpochLayout[];
  readonly withEpochs: boolean;
  readonly epochY: number;
  /** Below the brackets of the epochs. */
  readonly transactions: readonly TransactionLayout[];
  readonly transactionsY: number;
  /**
   * The line below the brackets at which no epoch's label overlaps the files button; -1 is the line
   * of the brackets, if there are none.
   */
  readonly filesLine: number;
  readonly beliefs: readonly BeliefLayout[];
  readonly unseen: readonly number[];
  readonly unseenX: number;
  /** The numbers of offsets of this log that are out of view on either side. */
  readonly hiddenBefore: number;
  readonly hiddenAfter: number;
  readonly below: number;
}

export interface RowRequest {
  readonly frame: Frame;
  readonly previous: Frame | null;
  readonly partition: string;
  readonly broker: number;
  readonly axis: OffsetAxis;
  readonly y: number;
  readonly height: number;
  readonly cellHeight: number;
  /** The distance from the cells to the brackets of their epochs. */
  readonly toEpochs: number;
  /** Whether the epochs of the log are shown below it. */
  readonly withEpochs: boolean;
  /** Whether a leader's knowledge of its followers is shown. */
  readonly withBeliefs: boolean;
  /** The stage's width, which limits labels. */
  readonly width: number;
  /** The top of the flags' band, measured from the row's top. */
  readonly bandY: number;
  /** How much of what is above the band is free for labels. */
  readonly roomAbove: number;
  /** The left edge of the files button below the log; null if it is elsewhere, or there is none. */
  readonly filesX: number | null;
  readonly beliefLabel: BeliefLabel;
  readonly epochLabel: ((epoch: number, start: number) => string) | null;
}

export function isDown(replica: Replica): boolean {
  return (
    replica.broker_state === "crashed" ||
    replica.broker_state === "stopped" ||
    replica.broker_state === "failed"
  );
}

export function layoutReplicaRow(request: RowRequest): RowLayout {
  const { frame, partition, broker, axis, y, cellHeight } = request;
  const replica = frame.state.replicas[partition]?.[String(broker)] ?? null;
  if (replica === null) return emptyRow(request);

  const highWatermarkOffset = replica.high_watermark ?? replica.checkpoints.high_watermark;
  const end = replica.log_end_offset;
  const band = layoutFlagBand(request, replica, highWatermarkOffset);
  const cellY = y + request.bandY + FLAG_BAND + band.extra;

  const log = layoutLogCells(request, replica, highWatermarkOffset, cellY);
  const start = replica.log_start_offset;
  const right = boundaryX(axis, axis.last + 1);
  const clamp = (offset: number) =>
    Math.max(boundaryX(axis, axis.first), Math.min(right, boundaryX(axis, offset)));
  const span = (from: number, to: number): Span | null =>
    clamp(to) > clamp(from)
      ? { from: clamp(from) + CELL_GAP / 2 + 1, to: clamp(to) - CELL_GAP / 2 - 1 }
      : null;

  const slotTaken = log.ghosts.some((ghost) => ghost.record.offset === end);
  const water =
    replica.high_watermark !== null && clamp(replica.high_watermark) > clamp(start)
      ? clamp(replica.high_watermark)
      : null;
  const epochs = request.withEpochs ? layoutEpochs(axis, request.epochLabel, replica) : [];
  const epochY = cellY + cellHeight + request.toEpochs;
  const { filesX } = request;
  // If room is short, a log without epochs has no label for that.
  const bare = filesX !== null && replica.epoch_cache === null;
  const filesLine =
    filesX === null ? 0 : bare ? -1 : freeLine(epochs.filter((entry) => entry.labelEnd > filesX));
  const lines = Math.max(filesLine, ...epochs.map((entry) => entry.line));
  const transactions = request.withEpochs ? layoutTransactions(replica, axis) : [];
  const below = request.withEpochs
    ? epochY + 16 + lines * LABEL_LINE
    : cellY + cellHeight + UNDER_CELLS;

  return {
    broker,
    replica,
    y,
    height: request.height,
    cellY,
    cellHeight,
    down: isDown(replica),
    ...log,
    water:
      water === null
        ? null
        : {
            x: clamp(start) - 4,
            y: cellY - 5,
            width: water - clamp(start) + 4,
            height: cellHeight + 10,
          },
    highWatermark:
      band.highWatermark === null
        ? null
        : { ...band.highWatermark, flag: { ...band.highWatermark.flag, y: cellY - FLAG_BAND } },
    lastStable: band.lastStable,
    logEnd: isInView(axis, end)
      ? {
          offset: end,
          x: boundaryX(axis, end),
          slot: slotTaken
            ? null
            : { x: cellX(axis, end), y: cellY, width: axis.cellWidth, height: cellHeight },
        }
      : null,
    wallX: start > 0 && isInView(axis, start) ? boundaryX(axis, start) : null,
    flushed: span(start, replica.flushed),
    unflushed: span(Math.max(start, replica.flushed), end),
    epochs,
    withEpochs: request.withEpochs,
    epochY,
    transactions,
    transactionsY: below + 7,
    filesLine,
    beliefs: band.beliefs,
    unseen: request.withBeliefs && replica.role === "leader" ? neverSeen(replica) : [],
    unseenX: cellX(axis, Math.min(axis.last, Math.max(end, axis.first)) + 1) + 8,
    hiddenBefore: Math.max(0, Math.min(axis.first, end) - start),
    hiddenAfter: Math.max(0, end - 1 - axis.last),
    below: below + transactionsHeight(transactions),
  };
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
