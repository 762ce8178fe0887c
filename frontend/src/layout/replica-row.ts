/** Where everything of one replica's row stands. */

import type { Frame, LogRecord, Replica } from "../trace";
import { type Box, overlaps } from "./box";
import type { Fold } from "./folding";
import { boundaryX, cellX, CELL_GAP, foldsInView, isInView, type OffsetAxis } from "./offset-axis";
import { textWidth } from "./text";
import { layoutTransactions, transactionsHeight, type TransactionLayout } from "./transactions";

export const FLAG_BAND = 26;
export const FLAG_HEIGHT = 17;
export const LABEL_SIZE = 11.5;
const LABEL_LINE = 15;
/** Of the bars below a log. */
const UNDER_CELLS = 12;
/** The room of "LSO 12", above its line. */
const STABLE_WIDTH = 46;
/** The epochs' tints that there are; later ones wrap, with a hatch. */
export const EPOCH_TINTS = 6;

export interface CellLayout extends Box {
  readonly record: LogRecord;
  /** Its producer was told that it is stored. */
  readonly acknowledged: boolean;
  /** Below this replica's own high watermark. */
  readonly committed: boolean;
  readonly tint: number;
  /** The tint has wrapped: epoch 6 has epoch 0's, hatched. */
  readonly wrapped: boolean;
  /** Differs from what the leader has at this offset. */
  readonly diverging: boolean;
  /** Was not in this log in the frame before: how far above or below it came from, in pixels; null for one that was there. */
  readonly arrivedFrom: number | null;
  readonly cut: boolean;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A fold where a log goes through it. */
export interface FoldLayout extends Box {
  readonly fold: Fold;
  /** Below this replica's own high watermark, to its end. */
  readonly committed: boolean;
  /** Holds nothing any more: what was there was just cut. */
  readonly cut: boolean;
}

export interface EpochLayout extends Span {
  readonly epoch: number;
  readonly start: number;
  readonly tint: number;
  readonly wrapped: boolean;
  /** Begins left of what is in view. */
  readonly open: boolean;
  readonly label: "full" | "short";
  readonly labelX: number;
  readonly labelEnd: number;
  /** 0 is the line right below the bracket; crowded labels stand lower. */
  readonly line: number;
}

export interface BeliefLayout {
  readonly brokers: readonly number[];
  readonly offset: number;
  readonly tipX: number;
  readonly labelX: number;
  readonly anchor: "start" | "end";
  /** 0 is the line right above the cells. */
  readonly line: number;
}

export interface HighWatermarkLayout {
  readonly offset: number;
  readonly x: number;
  readonly flag: Box;
  /** Read from the checkpoint file of a broker that is down. */
  readonly fromFile: boolean;
}

export interface RowLayout {
  readonly broker: number;
  readonly replica: Replica | null;
  readonly y: number;
  readonly height: number;
  readonly cellY: number;
  readonly cellHeight: number;
  readonly down: boolean;
  readonly cells: readonly CellLayout[];
  readonly ghosts: readonly CellLayout[];
  readonly folds: readonly FoldLayout[];
  readonly water: Box | null;
  readonly highWatermark: HighWatermarkLayout | null;
  /** Where readers of committed records stop, while a transaction below the high watermark is open. */
  readonly lastStable: { readonly offset: number; readonly x: number } | null;
  readonly logEnd: { readonly offset: number; readonly x: number; readonly slot: Box | null } | null;
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
  /** The line below the brackets where no epoch's label meets the files' button; -1 is that of the brackets, where there are none. */
  readonly filesLine: number;
  readonly beliefs: readonly BeliefLayout[];
  readonly unseen: readonly number[];
  readonly unseenX: number;
  /** What is out of view on either side, in offsets of this log. */
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
  /** Whether the epochs of the log stand below it. */
  readonly withEpochs: boolean;
  /** Whether a leader says what it has seen of its followers. */
  readonly withBeliefs: boolean;
  /** The stage's: no label stands beyond it. */
  readonly width: number;
  /** The top of the flags' band, measured from the row's top. */
  readonly bandY: number;
  /** How much of what is above the band is free for labels. */
  readonly roomAbove: number;
  /** Where the files' button begins that stands below the log; null where it stands elsewhere, or there is none. */
  readonly filesX: number | null;
  readonly beliefLabel: (brokers: readonly number[], offset: number) => string;
  readonly epochLabel: (epoch: number, start: number) => string;
}

export function isDown(replica: Replica): boolean {
  return replica.broker_state === "crashed" || replica.broker_state === "stopped" || replica.broker_state === "failed";
}

export function layoutReplicaRow(request: RowRequest): RowLayout {
  const { frame, previous, partition, broker, axis, y, cellHeight } = request;
  const replica = frame.state.replicas[partition]?.[String(broker)] ?? null;
  if (replica === null) return emptyRow(request);

  const highWatermarkOffset = replica.high_watermark ?? replica.checkpoints.high_watermark;
  const end = replica.log_end_offset;
  const band = layoutBand(request, replica, highWatermarkOffset);
  const cellY = y + request.bandY + FLAG_BAND + band.extra;

  const inView = replica.log.filter((record) => isInView(axis, record.offset));
  const diverging = new Set(replica.diverging_offsets);
  const before = previous?.state.replicas[partition]?.[String(broker)];
  const known = new Set(before?.log.map((record) => record.id) ?? []);
  const acknowledged = new Set(frame.state.clients.produced.filter((one) => one.outcome === "acked" && one.partition === partition).map((one) => one.id));
  const cell = (record: LogRecord, cut: boolean): CellLayout => ({
    record,
    x: cellX(axis, record.offset),
    y: cellY,
    width: axis.cellWidth,
    height: cellHeight,
    acknowledged: acknowledged.has(record.id),
    committed: highWatermarkOffset !== null && record.offset < highWatermarkOffset,
    ...tintOf(record.epoch ?? 0),
    diverging: diverging.has(record.offset),
    arrivedFrom: before !== undefined && !cut && !known.has(record.id) ? 0 : null,
    cut,
  });
  const occupied = new Set(replica.log.map((record) => record.offset));
  const gone = recordsCut(frame, partition, broker).filter((record) => !occupied.has(record.offset));
  const ghosts = gone.filter((record) => isInView(axis, record.offset)).map((record) => cell(record, true));
  const folds = foldsInView(axis).flatMap((fold): FoldLayout[] => {
    const within = (record: LogRecord) => record.offset >= fold.from && record.offset <= fold.to;
    const cut = !replica.log.some(within);
    if (cut && !gone.some(within)) return [];
    return [{ fold, x: cellX(axis, fold.from), y: cellY, width: axis.cellWidth, height: cellHeight, committed: !cut && highWatermarkOffset !== null && highWatermarkOffset > fold.to, cut }];
  });

  const start = replica.log_start_offset;
  const right = boundaryX(axis, axis.last + 1);
  const clamp = (offset: number) => Math.max(boundaryX(axis, axis.first), Math.min(right, boundaryX(axis, offset)));
  const span = (from: number, to: number): Span | null =>
    clamp(to) > clamp(from) ? { from: clamp(from) + CELL_GAP / 2 + 1, to: clamp(to) - CELL_GAP / 2 - 1 } : null;

  const slotTaken = ghosts.some((ghost) => ghost.record.offset === end);
  const water = replica.high_watermark !== null && clamp(replica.high_watermark) > clamp(start) ? clamp(replica.high_watermark) : null;
  const epochs = request.withEpochs ? layoutEpochs(request, replica) : [];
  const epochY = cellY + cellHeight + 18;
  const { filesX } = request;
  // Where room is short, a log without epochs does not say so.
  const bare = filesX !== null && replica.epoch_cache === null;
  const filesLine = filesX === null ? 0 : bare ? -1 : freeLine(epochs.filter((entry) => entry.labelEnd > filesX));
  const lines = Math.max(filesLine, ...epochs.map((entry) => entry.line));
  const transactions = request.withEpochs ? layoutTransactions(replica, axis) : [];
  const below = request.withEpochs ? epochY + 16 + lines * LABEL_LINE : cellY + cellHeight + UNDER_CELLS;

  return {
    broker,
    replica,
    y,
    height: request.height,
    cellY,
    cellHeight,
    down: isDown(replica),
    cells: inView.map((record) => cell(record, false)),
    ghosts,
    folds,
    water: water === null ? null : { x: clamp(start) - 4, y: cellY - 5, width: water - clamp(start) + 4, height: cellHeight + 10 },
    highWatermark: band.highWatermark === null ? null : { ...band.highWatermark, flag: { ...band.highWatermark.flag, y: cellY - FLAG_BAND } },
    lastStable: lastStableMark(replica, axis),
    logEnd: isInView(axis, end)
      ? {
          offset: end,
          x: boundaryX(axis, end),
          slot: slotTaken ? null : { x: cellX(axis, end), y: cellY, width: axis.cellWidth, height: cellHeight },
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

function freeLine(taken: readonly EpochLayout[]): number {
  let line = 0;
  while (taken.some((entry) => entry.line === line)) line += 1;
  return line;
}

function lastStableMark(replica: Replica, axis: OffsetAxis): { offset: number; x: number } | null {
  const { last_stable_offset: offset, high_watermark: highWatermark } = replica;
  if (offset === null || highWatermark === null || offset >= highWatermark || !isInView(axis, offset)) return null;
  return { offset, x: boundaryX(axis, offset) };
}

function emptyRow({ broker, y, height, bandY, cellHeight }: RowRequest): RowLayout {
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
    epochY: cellY + cellHeight + 18,
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

export function tintOf(epoch: number): { tint: number; wrapped: boolean } {
  return { tint: epoch % EPOCH_TINTS, wrapped: epoch >= EPOCH_TINTS };
}

/** The records that this frame's events say left this replica's log: one an offset, the last that stood there. */
export function recordsCut(frame: Frame, partition: string, broker: number): LogRecord[] {
  const cut = frame.events
    .filter((event) => event.kind === "LogTruncated" || event.kind === "UnflushedRecordsLost")
    .filter((event) => event.numbers.broker === broker && event.numbers.partition === partition)
    .flatMap((event) => event.evidence.records ?? []);
  return [...new Map(cut.map((record) => [record.offset, record])).values()];
}

function neverSeen(replica: Replica): number[] {
  return Object.entries(replica.followers)
    .filter(([, belief]) => belief.log_end_offset === null || belief.log_end_offset < 0)
    .map(([broker]) => Number(broker))
    .sort((a, b) => a - b);
}

/** The flag of the high watermark and the leader's beliefs, on as many lines as keep them apart. */
function layoutBand(
  { axis, width: stageWidth, beliefLabel, roomAbove, withBeliefs }: RowRequest,
  replica: Replica,
  highWatermark: number | null,
): { highWatermark: HighWatermarkLayout | null; beliefs: BeliefLayout[]; extra: number } {
  const placed: Box[] = [];
  let bar: HighWatermarkLayout | null = null;
  if (highWatermark !== null && highWatermark >= axis.first && highWatermark <= axis.last + 1) {
    const x = boundaryX(axis, highWatermark);
    const width = textWidth(`HW ${highWatermark}`, LABEL_SIZE, true) + 14;
    // At the right edge the flag flies to the left.
    const flagX = highWatermark > axis.last || x + width > boundaryX(axis, axis.last + 1) + 16 ? x + 2 - width : x - 2;
    bar = { offset: highWatermark, x, fromFile: replica.high_watermark === null, flag: { x: flagX, y: 0, width, height: FLAG_HEIGHT } };
    placed.push({ ...bar.flag, y: -FLAG_BAND });
  }

  const stable = lastStableMark(replica, axis);
  if (stable !== null) placed.push({ x: stable.x - STABLE_WIDTH / 2, y: -22, width: STABLE_WIDTH, height: 14 });

  // What says how much of the log is out of view stands at the left edge.
  if (axis.first > replica.log_start_offset) placed.push({ x: axis.left - 6, y: -20, width: 96, height: 14 });

  const byOffset = new Map<number, number[]>();
  for (const [broker, belief] of Object.entries(withBeliefs && replica.role === "leader" ? replica.followers : {})) {
    const offset = belief.log_end_offset;
    if (offset === null || offset < 0 || offset < axis.first || offset > axis.last + 1) continue;
    byOffset.set(offset, [...(byOffset.get(offset) ?? []), Number(broker)].sort((a, b) => a - b));
  }
  const beliefs: BeliefLayout[] = [];
  for (const [offset, brokers] of [...byOffset].sort(([a], [b]) => a - b)) {
    const boundary = boundaryX(axis, offset);
    // Beside the bar of the high watermark, but on the stage.
    const tipX = offset === highWatermark ? Math.max(6, boundary - 11) : boundary;
    const width = textWidth(beliefLabel(brokers, offset), LABEL_SIZE);
    for (let line = 0, done = false; !done; line += 1) {
      const top = -13 - line * LABEL_LINE;
      const left: Box = { x: tipX - 8 - width, y: top, width: width + 14, height: 12 };
      const right: Box = { x: tipX - 6, y: top, width: width + 14, height: 12 };
      const candidates = [
        { box: left, anchor: "end" as const, labelX: tipX - 9 },
        { box: right, anchor: "start" as const, labelX: tipX + 9 },
      ].filter(({ box, anchor }) => (anchor === "start" ? (offset !== highWatermark || line > 0) && box.x + box.width <= stageWidth : box.x >= axis.left - 12 || line > 3));
      const free = candidates.find(({ box }) => !placed.some((other) => overlaps(box, other)));
      if (free === undefined && line < 8) continue;
      const { box, anchor, labelX } = free ?? { box: left, anchor: "end" as const, labelX: tipX - 9 };
      placed.push(box);
      beliefs.push({ brokers, offset, tipX, labelX, anchor, line });
      done = true;
    }
  }
  const lines = Math.max(0, ...beliefs.map((belief) => belief.line));
  // Lines that the room above the flag does not hold push the cells down.
  const above = lines > 0 ? 14 + lines * LABEL_LINE : FLAG_BAND;
  return { highWatermark: bar, beliefs, extra: Math.max(0, above - FLAG_BAND - roomAbove) };
}

/** A bracket for each epoch, from its start offset to the next one's; an epoch without records is as wide as a cell. */
function layoutEpochs({ axis, epochLabel }: RowRequest, replica: Replica): EpochLayout[] {
  const entries = replica.epoch_cache ?? [];
  const laid: EpochLayout[] = [];
  const lineEnds: number[] = [];
  const rightEdge = boundaryX(axis, axis.last + 1);
  entries.forEach(([epoch, start], index) => {
    const next = entries[index + 1]?.[1] ?? replica.log_end_offset;
    const end = Math.max(next, start);
    if (start > axis.last || (end <= axis.first && start < axis.first)) return;
    const from = boundaryX(axis, Math.max(start, axis.first)) + 2;
    const to = Math.min(rightEdge - 2, end > start ? boundaryX(axis, end) - 4 : from + axis.cellWidth);
    const full = textWidth(epochLabel(epoch, start), LABEL_SIZE, true);
    const short = textWidth(`${epoch} → ${start}`, LABEL_SIZE, true);
    const nextStart = entries[index + 1]?.[1];
    const room = nextStart === undefined ? Infinity : boundaryX(axis, nextStart) - from - 4;
    const label = full <= Math.max(room, 0) ? "full" : short <= room || index < entries.length - 1 ? "short" : "full";
    // A label that would leave the stage begins further left.
    const labelX = Math.max(axis.left, Math.min(from + 4, rightEdge + 10 - (label === "full" ? full : short)));
    let line = lineEnds.findIndex((lineEnd) => lineEnd <= labelX);
    if (line < 0) line = lineEnds.length;
    const labelEnd = labelX + (label === "full" ? full : short);
    lineEnds[line] = labelEnd + 6;
    laid.push({ epoch, start, from, to: Math.max(to, from + 6), ...tintOf(epoch), open: start < axis.first, label, labelX, labelEnd, line });
  });
  return laid;
}
