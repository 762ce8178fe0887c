/** The cells of one log: its records, the records that were just truncated, and its folds. */

import type { Frame, LogRecord, Replica } from "../trace";
import type { Rectangle } from "./rectangle";
import { tintOf } from "./epoch-brackets";
import { isWithin, type Fold } from "./folding";
import { cellX, foldsInView, isInView, type OffsetAxis } from "./offset-axis";

export interface CellLayout extends Rectangle {
  readonly record: LogRecord;
  /** It was acknowledged to its producer. */
  readonly acknowledged: boolean;
  /** Below this replica's own high watermark. */
  readonly committed: boolean;
  readonly tint: number;
  /** The tint has wrapped: epoch 6 has epoch 0's, hatched. */
  readonly wrapped: boolean;
  /** Differs from the leader's record at this offset. */
  readonly diverging: boolean;
  /**
   * For a record that was not in this log in the previous frame: the vertical distance that it came
   * from, in pixels; otherwise null.
   */
  readonly arrivedFrom: number | null;
  /** It was just removed from the log. */
  readonly cut: boolean;
  /** It was removed because it was not on the disk when the power failed. */
  readonly unflushed: boolean;
}

/** A fold inside a log. */
export interface FoldLayout extends Rectangle {
  readonly fold: Fold;
  /** Below this replica's own high watermark, to its end. */
  readonly committed: boolean;
  /** Empty, because its record was just truncated. */
  readonly cut: boolean;
  /** The number of its records. */
  readonly count: number;
  /** The tint of their epoch; null if they have several. */
  readonly tint: number | null;
  /** Whether some of them are not in the leader's log. */
  readonly diverging: boolean;
}

export interface LogCells {
  readonly cells: readonly CellLayout[];
  readonly ghosts: readonly CellLayout[];
  readonly folds: readonly FoldLayout[];
}

export interface LogRequest {
  readonly frame: Frame;
  readonly previous: Frame | null;
  readonly partition: string;
  readonly broker: number;
  readonly axis: OffsetAxis;
  readonly cellHeight: number;
}

export function layoutLogCells(
  { frame, previous, partition, broker, axis, cellHeight }: LogRequest,
  replica: Replica,
  highWatermark: number | null,
  cellY: number,
): LogCells {
  const inView = replica.log.filter((record) => isInView(axis, record.offset));
  const diverging = new Set(replica.diverging_offsets);
  const before = previous?.state.replicas[partition]?.[String(broker)];
  const known = new Set(before?.log.map((record) => record.id) ?? []);
  const acknowledged = new Set(
    frame.state.clients.produced
      .filter((one) => one.outcome === "acked" && one.partition === partition)
      .map((one) => one.id),
  );
  const unflushed = new Set(
    removedBy("UnflushedRecordsLost", frame, partition, broker).map((record) => record.id),
  );
  const cell = (record: LogRecord, cut: boolean): CellLayout => ({
    record,
    x: cellX(axis, record.offset),
    y: cellY,
    width: axis.cellWidth,
    height: cellHeight,
    acknowledged: acknowledged.has(record.id),
    committed: highWatermark !== null && record.offset < highWatermark,
    ...tintOf(record.epoch ?? 0),
    diverging: diverging.has(record.offset),
    arrivedFrom: before !== undefined && !cut && !known.has(record.id) ? 0 : null,
    cut,
    unflushed: cut && unflushed.has(record.id),
  });
  const occupied = new Set(replica.log.map((record) => record.offset));
  const gone = recordsCut(frame, partition, broker).filter(
    (record) => !occupied.has(record.offset),
  );
  const ghosts = gone
    .filter((record) => isInView(axis, record.offset))
    .map((record) => cell(record, true));
  const folds = foldsInView(axis).flatMap((fold): FoldLayout[] => {
    const within = ({ offset }: LogRecord) => isWithin(fold, offset);
    const kept = replica.log.filter(within);
    const cut = kept.length === 0;
    const hidden = cut ? gone.filter(within) : kept;
    if (hidden.length === 0) return [];
    // Epochs never decrease along a log.
    const [first, last] = [hidden[0]?.epoch ?? 0, hidden.at(-1)?.epoch ?? 0];
    const committed = !cut && highWatermark !== null && highWatermark > fold.to;
    return [
      {
        fold,
        x: cellX(axis, fold.from),
        y: cellY,
        width: axis.cellWidth,
        height: cellHeight,
        committed,
        cut,
        count: hidden.length,
        tint: first === last ? tintOf(first).tint : null,
        diverging: replica.diverging_offsets.some((offset) => isWithin(fold, offset)),
      },
    ];
  });

  return { cells: inView.map((record) => cell(record, false)), ghosts, folds };
}

/**
 * The records that were removed from this replica's log, according to the frame's events: one for
 * each offset, the last one there.
 */
export function recordsCut(frame: Frame, partition: string, broker: number): LogRecord[] {
  const cut = [
    ...removedBy("LogTruncated", frame, partition, broker),
    ...removedBy("UnflushedRecordsLost", frame, partition, broker),
  ];
  return [...new Map(cut.map((record) => [record.offset, record])).values()];
}

function removedBy(
  kind: "LogTruncated" | "UnflushedRecordsLost",
  frame: Frame,
  partition: string,
  broker: number,
): LogRecord[] {
  return frame.events
    .filter(
      (event) =>
        event.kind === kind &&
        event.numbers.broker === broker &&
        event.numbers.partition === partition,
    )
    .flatMap((event) => event.subject.records ?? []);
}
