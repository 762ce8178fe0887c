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

interface BandRequest {
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
  { axis, width: stageWidth, beliefLabel, roomAbove, withBeliefs }: BandRequest,
  replica: Replica,
  highWatermark: number | null,
): FlagBandLayout {
  const placed: Rectangle[] = [];
  let bar: HighWatermarkLayout | null = null;
  if (highWatermark !== null && highWatermark >= axis.first && highWatermark <= axis.last + 1) {
    const x = boundaryX(axis, highWatermark);
    const width = textWidth(`HW ${highWatermark}`, LABEL_SIZE, true) + 14;
    // At the right edge the flag points to the left.
    const flagX =
      highWatermark > axis.last || x + width > boundaryX(axis, axis.last + 1) + 16
        ? x + 2 - width
        : x - 2;
    bar = {
      offset: highWatermark,
      x,
      fromFile: replica.high_watermark === null,
      flag: { x: flagX, y: 0, width, height: FLAG_HEIGHT },
    };
    placed.push({ ...bar.flag, y: -FLAG_BAND });
  }

  const stable = lastStableMark(replica, axis);
  if (stable !== null)
    placed.push({ x: stable.x - STABLE_WIDTH / 2, y: -22, width: STABLE_WIDTH, height: 14 });

  // The label for the hidden part of the log is at the left edge.
  if (axis.first > replica.log_start_offset)
    placed.push({ x: axis.left - 6, y: -20, width: 96, height: 14 });

  const byOffset = new Map<number, number[]>();
  for (const [broker, belief] of Object.entries(
    withBeliefs && replica.role === "leader" ? replica.followers : {},
  )) {
    const offset = belief.log_end_offset;
    if (offset === null || offset < 0 || offset < axis.first || offset > axis.last + 1) continue;
    byOffset.set(
      offset,
      [...(byOffset.get(offset) ?? []), Number(broker)].sort((a, b) => a - b),
    );
  }
  const beliefs: BeliefLayout[] = [];
  for (const [offset, brokers] of [...byOffset].sort(([a], [b]) => a - b)) {
    const boundary = boundaryX(axis, offset);
    // Beside the bar of the high watermark, but not between the rows.
    const tipX = offset === highWatermark ? Math.max(axis.left - 8, boundary - 11) : boundary;
    // Right of the boundary, where the line of a truncation to that offset is.
    const startX = offset === highWatermark ? boundary + 6 : tipX + 9;
    const fitting = (
      width: number,
      line: number,
      short: boolean,
    ): { readonly box: Rectangle; readonly belief: BeliefLayout } | undefined => {
      const top = -13 - line * LABEL_LINE;
      const left: Rectangle = { x: tipX - 8 - width, y: top, width: width + 14, height: 12 };
      const right: Rectangle = {
        x: tipX - 6,
        y: top,
        width: startX - tipX + width + 5,
        height: 12,
      };
      return [
        { box: left, anchor: "end" as const, labelX: tipX - 9 },
        { box: right, anchor: "start" as const, labelX: startX },
      ]
        .filter(({ box, anchor }) =>
          anchor === "start"
            ? (offset !== highWatermark || line > 0) && box.x + box.width <= stageWidth
            : box.x >= axis.left - BEFORE_LOG || (line > 3 && box.x >= 0),
        )
        .filter(({ box }) => !placed.some((other) => overlaps(box, other)))
        .map(({ box, anchor, labelX }) => ({
          box,
          belief: { brokers, offset, tipX, labelX, anchor, line, short },
        }))[0];
    };
    let found: ReturnType<typeof fitting>;
    for (const short of [false, true]) {
      const width = textWidth(beliefLabel(brokers, offset, short), LABEL_SIZE);
      for (let line = 0; line < MOST_LINES && found === undefined; line += 1)
        found = fitting(width, line, short);
    }
    if (found !== undefined) placed.push(found.box);
    beliefs.push(
      found?.belief ?? {
        brokers,
        offset,
        tipX,
        labelX: tipX - 9,
        anchor: "end",
        line: MOST_LINES - 1,
        short: true,
      },
    );
  }
  const lines = Math.max(0, ...beliefs.map((belief) => belief.line));
  // Lines that the room above the flag does not hold push the cells down.
  const above = lines > 0 ? 14 + lines * LABEL_LINE : FLAG_BAND;
  return {
    highWatermark: bar,
    lastStable: stable,
    beliefs,
    extra: Math.max(0, above - FLAG_BAND - roomAbove),
  };
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
