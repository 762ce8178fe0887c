/**
 * The band above the cells of a log: the flag of the high watermark, the last stable offset, and the
 * leader's knowledge of its followers, without overlap.
 */

import type { Replica } from "../trace";
import { type Rectangle, overlaps } from "./rectangle";
import { boundaryX, isInView, type OffsetAxis } from "./offset-axis";
import { LABEL_LINE, LABEL_SIZE, textWidth } from "./text";

export const FLAG_BAND = 26;
const FLAG_HEIGHT = 17;
/** The room of "LSO 12", above its line. */
const STABLE_WIDTH = 46;
/** How far labels may begin to the left of the log, which is less than the lines between the rows are away. */
const BEFORE_LOG = 8;
/** The most lines of labels. */
const MOST_LINES = 9;

export interface BeliefLayout {
  readonly brokers: readonly number[];
  readonly offset: number;
  readonly tipX: number;
  readonly labelX: number;
  readonly anchor: "start" | "end";
  /** 0 is the line right above the cells. */
  readonly line: number;
  /** The label is short, because the stage has no room for the whole one. */
  readonly short: boolean;
}

/** The label of what a leader knows of its followers, and a shorter one. */
export type BeliefLabel = (brokers: readonly number[], offset: number, short: boolean) => string;

export interface HighWatermarkLayout {
  readonly offset: number;
  readonly x: number;
  readonly flag: Rectangle;
  /** Read from the checkpoint file of a broker that is down. */
  readonly fromFile: boolean;
}

export interface StableOffsetLayout {
  readonly offset: number;
  readonly x: number;
}

export interface FlagBandLayout {
  readonly highWatermark: HighWatermarkLayout | null;
  readonly lastStable: StableOffsetLayout | null;
  readonly beliefs: readonly BeliefLayout[];
  /** How far its labels push the cells down. */
  readonly extra: number;
}

export interface BandRequest {
  readonly axis: OffsetAxis;
  /** The stage's width, which limits labels. */
  readonly width: number;
  /** How much of what is above the band is free for labels. */
  readonly roomAbove: number;
  /** Whether a leader's knowledge of its followers is shown. */
  readonly withBeliefs: boolean;
  readonly beliefLabel: BeliefLabel;
}

/**
 * The flag of the high watermark and the leader's knowledge of followers, on as many lines as
 * needed to avoid overlap.
 */
export function layoutFlagBand(
  request: BandRequest,
  replica: Replica,
  highWatermark: number | null,
): FlagBandLayout {
  const { axis, roomAbove } = request;
  const flag = highWatermarkFlag(replica, highWatermark, axis);
  const stable = lastStableMark(replica, axis);
  const taken = [
    ...(flag === null ? [] : [{ ...flag.flag, y: -FLAG_BAND }]),
    ...(stable === null ? [] : [stableRoom(stable, 0)]),
    ...(axis.first > replica.log_start_offset ? [hiddenPartLabel(axis)] : []),
  ];
  const beliefs: BeliefLayout[] = [];
  for (const [offset, brokers] of request.withBeliefs ? followersByOffset(replica, axis) : []) {
    const place = beliefPlace(request, brokers, offset, offset === highWatermark, taken);
    if (place.box !== null) taken.push(place.box);
    beliefs.push(place.belief);
  }
  const lines = Math.max(0, ...beliefs.map((belief) => belief.line));
  // Lines that the room above the flag does not hold push the cells down.
  const above = lines > 0 ? 14 + lines * LABEL_LINE : FLAG_BAND;
  return {
    highWatermark: flag,
    lastStable: stable,
    beliefs,
    extra: Math.max(0, above - FLAG_BAND - roomAbove),
  };
}

function highWatermarkFlag(
  replica: Replica,
  offset: number | null,
  axis: OffsetAxis,
): HighWatermarkLayout | null {
  if (offset === null || offset < axis.first || offset > axis.last + 1) return null;
  const x = boundaryX(axis, offset);
  const width = textWidth(`HW ${offset}`, LABEL_SIZE, true) + 14;
  // At the right edge the flag points to the left.
  const atEdge = offset > axis.last || x + width > boundaryX(axis, axis.last + 1) + 16;
  return {
    offset,
    x,
    fromFile: replica.high_watermark === null,
    flag: { x: atEdge ? x + 2 - width : x - 2, y: 0, width, height: FLAG_HEIGHT },
  };
}

/** The last stable offset, without its line. */
export function stableRoom({ x }: StableOffsetLayout, cellY: number): Rectangle {
  return { x: x - STABLE_WIDTH / 2, y: cellY - 22, width: STABLE_WIDTH, height: 14 };
}

/** The label for the hidden part of the log is at the left edge. */
function hiddenPartLabel(axis: OffsetAxis): Rectangle {
  return { x: axis.left - 6, y: -20, width: 96, height: 14 };
}

/** The followers of a leader by the visible offset up to which it knows them to have copied. */
function followersByOffset(replica: Replica, axis: OffsetAxis): [number, number[]][] {
  if (replica.role !== "leader") return [];
  const byOffset = new Map<number, number[]>();
  for (const [broker, { log_end_offset: offset }] of Object.entries(replica.followers)) {
    if (offset === null || offset < Math.max(0, axis.first) || offset > axis.last + 1) continue;
    byOffset.set(
      offset,
      [...(byOffset.get(offset) ?? []), Number(broker)].sort((a, b) => a - b),
    );
  }
  return [...byOffset].sort(([a], [b]) => a - b);
}

interface BeliefPlace {
  readonly belief: BeliefLayout;
  /** The room of its label; null if there is none for it. */
  readonly box: Rectangle | null;
}

/** The lowest line on which a label has room, left or right of its offset; the shorter label if the whole one has none. */
function beliefPlace(
  { axis, width: stageWidth, beliefLabel }: BandRequest,
  brokers: readonly number[],
  offset: number,
  atFlag: boolean,
  taken: readonly Rectangle[],
): BeliefPlace {
  const boundary = boundaryX(axis, offset);
  // Beside the bar of the high watermark, but not between the rows.
  const tipX = atFlag ? Math.max(axis.left - 8, boundary - 11) : boundary;
  // Right of the boundary, where the line of a truncation to that offset is.
  const startX = atFlag ? boundary + 6 : tipX + 9;
  const placed = (
    box: Rectangle | null,
    anchor: BeliefLayout["anchor"],
    line: number,
    short: boolean,
  ): BeliefPlace => {
    const labelX = anchor === "end" ? tipX - 9 : startX;
    return { box, belief: { brokers, offset, tipX, labelX, anchor, line, short } };
  };
  for (const short of [false, true]) {
    const width = textWidth(beliefLabel(brokers, offset, short), LABEL_SIZE);
    for (let line = 0; line < MOST_LINES; line += 1) {
      const top = -13 - line * LABEL_LINE;
      const left = { x: tipX - 8 - width, y: top, width: width + 14, height: 12 };
      const right = { x: tipX - 6, y: top, width: startX - tipX + width + 5, height: 12 };
      const isFree = (box: Rectangle): boolean => !taken.some((other) => overlaps(box, other));
      const onStage = left.x >= axis.left - BEFORE_LOG || (line > 3 && left.x >= 0);
      if (onStage && isFree(left)) return placed(left, "end", line, short);
      const besideFlag = atFlag && line === 0;
      if (!besideFlag && right.x + right.width <= stageWidth && isFree(right))
        return placed(right, "start", line, short);
    }
  }
  return placed(null, "end", MOST_LINES - 1, true);
}

function lastStableMark(replica: Replica, axis: OffsetAxis): StableOffsetLayout | null {
  const { last_stable_offset: offset, high_watermark: highWatermark } = replica;
  if (
    offset === null ||
    highWatermark === null ||
    offset >= highWatermark ||
    !isInView(axis, offset)
  )
    return null;
  return { offset, x: boundaryX(axis, offset) };
}
