/**
 * Selects the offsets of long logs that are drawn, and the ranges that are folded into one place.
 */

import { standingOf, type Frame, type LogRecord, type Replica, type TraceEvent } from "../trace";

/** A range of offsets, both ends included, that is folded into one place on the axis. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

export interface FoldRequest {
  readonly lowest: number;
  readonly highest: number;
  /** The number of places; a fold takes one. */
  readonly room: number;
  /** Offsets that deserve a place, the most important first. */
  readonly wanted: readonly number[];
  /** Folds that the user has opened; they are shown whether or not there is room. */
  readonly opened: readonly Fold[];
}

export function isWithin({ from, to }: Fold, offset: number): boolean {
  return offset >= from && offset <= to;
}

/** The number of offsets that a fold hides. */
export function hiddenIn(fold: Fold): number {
  return fold.to - fold.from + 1;
}

/**
 * The folds of an axis, from left to right. There are none if every offset has a place. The
 * remaining room goes to the neighbours of wanted offsets.
 */
export function foldOffsets({ lowest, highest, room, wanted, opened }: FoldRequest): Fold[] {
  if (highest - lowest + 1 <= room) return [];
  const shown = new Set<number>();
  const add = (offset: number): void => {
    if (offset < lowest || offset > highest || shown.has(offset)) return;
    shown.add(offset);
    if (placesOf(shown, lowest, highest) > room) shown.delete(offset);
  };
  wanted.forEach(add);
  const centres = shown.size > 0 ? [...shown] : [highest];
  for (let away = 1; away <= room; away += 1) {
    for (const offset of centres) {
      add(offset - away);
      add(offset + away);
    }
  }
  for (const { from, to } of opened)
    for (let offset = from; offset <= to; offset += 1) shown.add(offset);
  // A single offset takes the same room as its fold would.
  return gapsOf(shown, lowest, highest).filter((gap) => gap.to > gap.from);
}

function gapsOf(shown: ReadonlySet<number>, lowest: number, highest: number): Fold[] {
  const gaps: Fold[] = [];
  let next = lowest;
  for (const offset of [...shown]
    .filter((one) => one >= lowest && one <= highest)
    .sort((a, b) => a - b)) {
    if (offset > next) gaps.push({ from: next, to: offset - 1 });
    next = offset + 1;
  }
  if (next <= highest) gaps.push({ from: next, to: highest });
  return gaps;
}

function placesOf(shown: ReadonlySet<number>, lowest: number, highest: number): number {
  return shown.size + gapsOf(shown, lowest, highest).length;
}

/** Whether every log of a partition has the same records at the offsets of a fold. Without a leader there is nothing to compare with. */
export function isSame(frame: Frame, partition: string, fold: Fold): boolean {
  const replicas = Object.values(frame.state.replicas[partition] ?? {});
  return (
    (frame.state.partitions[partition]?.leader ?? -1) >= 0 &&
    replicas.length > 1 &&
    replicas.every(
      (one) =>
        one.log_start_offset <= fold.from &&
        one.log_end_offset > fold.to &&
        !one.diverging_offsets.some((offset) => isWithin(fold, offset)),
    )
  );
}

/** The names of event values that are offsets of the partition's log, the most important first. */
const LOG_OFFSETS: readonly string[] = [
  "offset",
  "to",
  "end_offset",
  "before",
  "after",
  "flushed",
  "leader_end_offset",
  "own_end_offset",
  "fetch_offset",
  "start_offset",
  "log_start_offset",
  "log_end_offset",
  "leader_log_end_offset",
  "high_watermark",
  "response_high_watermark",
  "last_stable_offset",
  "leader_epoch_start_offset",
  "recovery_point",
];

/**
 * The offsets of a partition that a frame is about, the most important first: where its logs differ
 * or a property is violated, from where to where, so that no fold hides that; the first event's
 * evidence, the end of the longest log, the other evidence, the offsets among the events' values, the
 * rest of the differing offsets, then the start and end of each replica's log, high watermark and
 * epochs, and the rest of the evidence.
 */
export function offsetsOfInterest(frame: Frame, partition: string): number[] {
  const events = frame.events.filter(
    (event) => (event.subject.partition ?? event.numbers.partition) === partition,
  );
  const subjects = events.map((event) => subjectOffsets(event));
  const numbered = events.flatMap((event) => numberedOffsets(event));
  const replicas = Object.values(frame.state.replicas[partition] ?? {});
  const violated = violatedOffsets(frame, partition);
  const differing = inOrder(replicas.flatMap((replica) => replica.diverging_offsets));
  return [
    ...new Set([
      ...endsOfRuns(violated),
      ...endsOfRuns(differing),
      ...endsOfRuns(subjects[0] ?? []),
      ...events.slice(0, 1).flatMap((event) => numberedOffsets(event).slice(0, 1)),
      ...lastOffsets(replicas),
      ...subjects.slice(1).flatMap((offsets) => endsOfRuns(offsets)),
      ...numbered,
      // The record before a boundary shows its position as well as the record after it.
      ...numbered.map((offset) => offset - 1),
      ...violated,
      ...differing,
      ...landmarks(replicas),
      ...subjects.flat(),
    ]),
  ];
}

/** The end of the longest log and the record before it, which every step keeps in view. */
function lastOffsets(replicas: readonly Replica[]): number[] {
  if (replicas.length === 0) return [];
  const end = Math.max(...replicas.map((replica) => replica.log_end_offset));
  return [end, end - 1];
}

function subjectOffsets({ subject }: TraceEvent): number[] {
  return inOrder([
    ...(subject.offsets ?? []),
    ...(subject.records ?? []).map((record: LogRecord) => record.offset),
  ]);
}

/** The offsets of the evidence of the properties that are violated now. */
function violatedOffsets(frame: Frame, partition: string): number[] {
  return inOrder(
    Object.values(frame.properties).flatMap((property) => {
      if (standingOf(property) !== "now") return [];
      const { evidence } = property;
      const records =
        evidence.partition === partition
          ? (evidence.records ?? [])
          : (evidence.elsewhere?.[partition] ?? []);
      return [
        ...(evidence.partition === partition ? (evidence.offsets ?? []) : []),
        ...records.map(({ offset }) => offset),
      ];
    }),
  );
}

function inOrder(offsets: readonly number[]): number[] {
  return [...new Set(offsets)].sort((a, b) => a - b);
}

/** The offsets among an event's values, in the order of `LOG_OFFSETS`. */
function numberedOffsets({ numbers }: TraceEvent): number[] {
  if (numbers.partition === undefined) return [];
  return LOG_OFFSETS.flatMap((name) => {
    const value = numbers[name];
    return typeof value === "number" && value >= 0 ? [value] : [];
  });
}

/** The offsets of the replicas' logs, high watermarks and epochs, grouped by kind. */
function landmarks(replicas: readonly Replica[]): number[] {
  const ends = replicas.map((replica) => replica.log_end_offset);
  const highWatermarks = replicas.flatMap(({ high_watermark: offset }) =>
    offset === null ? [] : [offset],
  );
  return [
    ...ends,
    ...highWatermarks,
    ...replicas.map((replica) => replica.log_start_offset),
    ...ends.map((end) => end - 1),
    ...replicas.flatMap((replica) => (replica.epoch_cache ?? []).map(([, start]) => start)),
    ...highWatermarks.map((offset) => offset - 1),
    ...replicas.flatMap((replica) =>
      Object.values(replica.followers).flatMap(({ log_end_offset: offset }) =>
        offset === null ? [] : [offset],
      ),
    ),
  ];
}

/** The first and the last offset of each consecutive range. */
function endsOfRuns(offsets: readonly number[]): number[] {
  return offsets.filter(
    (offset, index) => offsets[index - 1] !== offset - 1 || offsets[index + 1] !== offset + 1,
  );
}
