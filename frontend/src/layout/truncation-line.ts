/** The line at the offset to which a log is, or is about to be, truncated, and its label. */

import type { TraceEvent } from "../trace";
import { FLAG_BAND } from "./flag-band";
import { boundaryX, type OffsetAxis } from "./offset-axis";
import { overlap, overlaps, type Rectangle } from "./rectangle";
import type { RowLayout } from "./replica-row";
import type { StageRequest } from "./stage-request";
import { pillWidth } from "./text";

const LABEL_HEIGHT = 22;
/** From the line to its label: past the flag of a high watermark at the same offset, or close to it. */
const PAST_FLAG = 52;
const CLOSE = 14;
/** Between the label and other texts. */
const APART = 3;
/** The label's top above the cells, and the line to it, which passes below the flags. */
const ABOVE_CELLS = 25;
const BELOW_FLAGS = 6;
const STEM_INSIDE = 5;

export interface CutLayout {
  readonly event: TraceEvent;
  readonly x: number;
  readonly fromY: number;
  readonly toY: number;
  readonly label: Rectangle & { readonly text: string };
  /** The line from the offset to the label. */
  readonly stem: { readonly y: number; readonly toX: number };
  /** If the label covers something: the broker above whose row it needs more room. */
  readonly needsStrip: number | null;
}

export const STRIP_HEIGHT = LABEL_HEIGHT + 2 * APART;

export interface CutRequest extends Pick<StageRequest, "frame" | "partition" | "cutLabels"> {
  readonly axis: OffsetAxis;
  readonly rows: readonly RowLayout[];
  /** The stage's width. */
  readonly width: number;
  /** Names are above the logs, so no line crosses from row to row. */
  readonly narrow: boolean;
  /** The left edge of the room for the label. */
  readonly left: number;
  /** The other texts and cards, which the label must not cover. */
  readonly taken: () => readonly Rectangle[];
  /** The top of the room between two rows that is reserved for the label; null if there is none. */
  readonly stripY: number | null;
}

/**
 * The offset to which a log is, or is about to be, truncated, from the first such event of the
 * frame.
 */
export function layoutCut(request: CutRequest): CutLayout | null {
  const cut = firstCut(request);
  if (cut === null) return null;
  const { event, follower } = cut;
  const x = boundaryX(request.axis, cut.offset);
  const leader = request.rows.find((row) => row.broker === respondingLeader(event, follower));
  const span =
    leader === undefined || leader === follower
      ? ownSpan(request, follower)
      : spanFrom(request, leader, follower);
  return { event, x, ...placed(request, event, { x, ...span }) };
}

/** The first visible truncation of a frame, and the row of the log that is truncated. */
function firstCut({ frame, partition, axis, rows }: CutRequest): {
  readonly event: TraceEvent;
  readonly offset: number;
  readonly follower: RowLayout;
} | null {
  for (const event of frame.events) {
    if (event.numbers.partition !== partition) continue;
    const offset = cutOffset(event);
    if (offset === null || offset < axis.first || offset > axis.last + 1) continue;
    const cutting = event.kind === "LogTruncated" ? event.numbers.broker : event.numbers.follower;
    const follower = rows.find((row) => row.broker === cutting);
    if (follower !== undefined) return { event, offset, follower };
  }
  return null;
}

type RowSpan = Omit<CutSpan, "x">;

/** The middle of the room that is reserved for the label; null if there is none. */
function middleOfStrip({ stripY }: CutRequest): number | null {
  return stripY === null ? null : stripY + STRIP_HEIGHT / 2;
}

/** A log that no leader's response truncates: the line is below its cells. */
function ownSpan(request: CutRequest, follower: RowLayout): RowSpan {
  const y = follower.cellY + follower.cellHeight + 8;
  const top = follower.y + (follower === request.rows[0] ? 11 : 0);
  return {
    fromY: y,
    toY: y,
    between: middleOfStrip(request) ?? top,
    lower: follower,
    beside: [follower],
  };
}

/** From the log of the leader whose response determines the truncation to the truncated one. */
function spanFrom(request: CutRequest, leader: RowLayout, follower: RowLayout): RowSpan {
  const { rows } = request;
  const strip = middleOfStrip(request);
  const beside = [follower, leader];
  if (leader.y < follower.y)
    return {
      fromY: underEpochs(leader),
      toY: follower.cellY - FLAG_BAND,
      between: strip ?? follower.y,
      lower: follower,
      beside,
    };
  return {
    fromY: leader.cellY - FLAG_BAND,
    toY: underEpochs(follower),
    between: strip ?? follower.y + follower.height,
    lower: rows[rows.indexOf(follower) + 1] ?? leader,
    beside,
  };
}

/** Below the line of text that a log without epochs has instead of brackets. */
function underEpochs({ replica, epochY }: RowLayout): number {
  return replica?.epoch_cache === null ? epochY + 16 : epochY - 4;
}

interface CutSpan {
  readonly x: number;
  readonly fromY: number;
  readonly toY: number;
  /** The boundary of the rows, the first choice for the label's centre. */
  readonly between: number;
  /** The row below that boundary. */
  readonly lower: RowLayout;
  /** The rows above whose cells the label can be instead, the best first. */
  readonly beside: readonly RowLayout[];
}

/** The label at the nearest place where it and the line to it cover nothing, otherwise the least, and the line extended to it. */
function placed(
  { width, narrow, left, taken, cutLabels }: CutRequest,
  event: TraceEvent,
  { x, fromY, toY, between, lower, beside }: CutSpan,
): Omit<CutLayout, "event" | "x"> {
  const others = taken();
  const heights = [
    { y: between - LABEL_HEIGHT / 2, stemY: between },
    ...beside.map((row) => ({ y: row.cellY - ABOVE_CELLS, stemY: row.cellY - BELOW_FLAGS })),
  ];
  const places = cutLabels(event).flatMap((text) => {
    const size = { text, width: pillWidth(text, 12), height: LABEL_HEIGHT };
    const right = Math.max(left, width - 6 - size.width);
    return heights.flatMap(({ y, stemY }) => {
      const edges = others
        .filter((other) => overlaps({ x: 0, y, width, height: LABEL_HEIGHT }, other))
        .flatMap((other) => [other.x + other.width + APART, other.x - size.width - APART]);
      const nearest = [x + CLOSE, x - CLOSE - size.width, ...edges].sort(
        (a, b) => Math.abs(a + size.width / 2 - x) - Math.abs(b + size.width / 2 - x),
      );
      return [x + PAST_FLAG, ...nearest].map((at) => ({
        stemY,
        label: { ...size, x: Math.max(left, Math.min(at, right)), y },
      }));
    });
  });
  // The stem ends inside the label's round corner.
  const stemTo = (label: Rectangle) =>
    label.x > x ? label.x + STEM_INSIDE : Math.min(x, label.x + label.width - STEM_INSIDE);
  const covered = ({ label, stemY }: (typeof places)[number]) => {
    const stem = {
      x: Math.min(x, stemTo(label)),
      y: stemY - 1,
      width: Math.abs(stemTo(label) - x),
      height: 2,
    };
    // The part of a label beyond the stage would be cut off.
    return (
      others.reduce((area, other) => area + overlap(label, other) + overlap(stem, other), 0) +
      Math.max(0, label.x + label.width - width) * LABEL_HEIGHT
    );
  };
  let best = Infinity;
  let found = places[0];
  for (const place of places) {
    const area = covered(place);
    if (area < best) [best, found] = [area, place];
    if (area === 0) break;
  }
  if (found === undefined) throw new Error("a label has at least one place");
  const { label, stemY } = found;
  const ends = narrow ? [stemY] : [fromY, toY, stemY];
  return {
    fromY: Math.min(...ends),
    toY: Math.max(...ends),
    label,
    stem: { y: stemY, toX: stemTo(label) },
    needsStrip: best > 0 ? lower.broker : null,
  };
}

function cutOffset(event: TraceEvent): number | null {
  const numbers = event.numbers;
  if (event.kind === "LogTruncated" && typeof numbers.to === "number") return numbers.to;
  if (
    event.kind === "EpochLookupAnswered" &&
    typeof numbers.end_offset === "number" &&
    numbers.end_offset >= 0
  )
    return numbers.end_offset;
  return null;
}

/**
 * The broker whose response determined the truncation; null if the replica truncated its log by
 * itself.
 */
function respondingLeader(event: TraceEvent, follower: RowLayout): number | null {
  if (event.kind === "EpochLookupAnswered") return Number(event.numbers.broker);
  if (["high_watermark", "no_epochs", "no_answer", "undefined"].includes(event.variant ?? ""))
    return null;
  if (typeof event.numbers.leader === "number") return event.numbers.leader;
  return follower.replica?.leader ?? null;
}
