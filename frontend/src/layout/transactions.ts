/** The positions of the brackets of open and aborted transactions below a log. */

import type { Replica } from "../trace";
import { boundaryX, type OffsetAxis } from "./offset-axis";

/** The height of one line of brackets, with the text below each. */
export const TRANSACTION_LINE = 24;
/** The distance between the spans of neighbouring records. */
const NEIGHBOURS_APART = 6;
/** Room for the shortest words below a bracket. */
const LABEL_LEAST = 62;

export interface TransactionLayout {
  readonly producer: number;
  readonly outcome: "open" | "aborted";
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
  /** Below its own records; records of others may be in between. */
  readonly runs: readonly (readonly [number, number])[];
  /** Begins left of the visible part, or continues right of it. */
  readonly cutLeft: boolean;
  readonly cutRight: boolean;
  /** 0 is the line nearest to the log. */
  readonly line: number;
  /** The maximum width of its text. */
  readonly room: number;
}

/**
 * A bracket for each visible transaction that read_committed consumers do not read; overlapping
 * brackets are on separate lines.
 */
export function layoutTransactions(replica: Replica, axis: OffsetAxis): TransactionLayout[] {
  const right = boundaryX(axis, axis.last + 1) - 2;
  const ends: number[] = [];
  const laid = (replica.transactions ?? []).flatMap(
    (transaction): Omit<TransactionLayout, "room">[] => {
      const {
        producer_id: producer,
        first_offset: first,
        last_offset: last,
        outcome,
      } = transaction;
      if (outcome === "committed" || first > axis.last || last < axis.first) return [];
      const from = boundaryX(axis, Math.max(first, axis.first)) + 2;
      const to = Math.max(from + 6, Math.min(right, boundaryX(axis, last + 1) - 4));
      const free = ends.findIndex((end) => end <= from);
      const line = free < 0 ? ends.length : free;
      ends[line] = Math.max(to, from + LABEL_LEAST) + 4;
      const own = replica.log.filter(
        (record) =>
          record.producer_id === producer &&
          record.transactional === true &&
          record.offset >= first &&
          record.offset <= last,
      );
      const runs = joinRuns(
        own.map(
          ({ offset }) =>
            [
              Math.max(from, boundaryX(axis, offset) + 2),
              Math.min(to, boundaryX(axis, offset + 1) - 4),
            ] as const,
        ),
      );
      return [
        {
          producer,
          outcome,
          first,
          last,
          from,
          to,
          runs,
          cutLeft: first < axis.first,
          cutRight: last > axis.last,
          line,
        },
      ];
    },
  );
  return laid.map((one) => {
    const next = laid.find((other) => other.line === one.line && other.from > one.from);
    return {
      ...one,
      room: Math.max(LABEL_LEAST, (next?.from ?? right + axis.cellWidth) - one.from - 8),
    };
  });
}

/** Spans from left to right, with adjacent ones merged; those out of view are omitted. */
function joinRuns(spans: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const [from, to] of spans) {
    const last = runs.at(-1);
    if (to <= from) continue;
    if (last !== undefined && from - last[1] <= NEIGHBOURS_APART) last[1] = to;
    else runs.push([from, to]);
  }
  return runs;
}

/** The additional height of a row for its brackets. */
export function transactionsHeight(laid: readonly TransactionLayout[]): number {
  return laid.length === 0 ? 0 : (Math.max(...laid.map(({ line }) => line)) + 1) * TRANSACTION_LINE;
}
