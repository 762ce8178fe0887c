/**
 * Fits the player into the host's frame: first the clients' lane is omitted, then epochs, then
 * texts, then rows, then the offsets above the logs. The lane returns if the room that is left then
 * holds it.
 */

import { brokersOf, layoutStage, type StageLayout } from "../../layout/stage";
import type { RowDetail, StageRequest } from "../../layout/stage-request";
import { AXIS_HEIGHT_NAMES } from "../../layout/forms";
import type { Frame } from "../../trace";

export interface Fit {
  readonly detail: RowDetail;
  /** Whether there is room for the producers' responses. */
  readonly lane: boolean;
}

/** The levels, from everything to the minimum. */
const FITS: readonly Fit[] = [
  { detail: "all", lane: true },
  { detail: "all", lane: false },
  { detail: "withoutEpochs", lane: true },
  { detail: "withoutEpochs", lane: false },
  { detail: "names", lane: false },
];
const LEAST: Fit = { detail: "names", lane: false };

/** The height of a minimal row, and the minimum scale. */
const LEAST_ROW = 68;
const SMALLEST = 0.8;
/** The minimum readable scale of the whole drawing; the same is available as text. */
const LEAST_SCALE = 0.55;
const SCALE_STEP = 0.05;

export type Request = Omit<StageRequest, "frame" | "previous" | "detail">;

/** What is drawn at the end of a step. */
export interface MeasuredStep {
  readonly frame: Frame;
  readonly previous: Frame | null;
  readonly partition: string;
}

/**
 * The maximum height of the logs for each of `FITS`, for the whole run, so that rows do not jump.
 */
export function tallest(
  steps: readonly MeasuredStep[],
  request: (frame: Frame, partition: string) => Request,
): readonly number[] {
  const heightOf = (detail: RowDetail) =>
    Math.max(
      0,
      ...steps.map(
        ({ frame, previous, partition }) =>
          layoutStage({ ...request(frame, partition), frame, previous, detail }).height,
      ),
    );
  const heights: Readonly<Record<RowDetail, number>> = {
    all: heightOf("all"),
    withoutEpochs: heightOf("withoutEpochs"),
    names: heightOf("names"),
  };
  return FITS.map(({ detail }) => heights[detail]);
}

export function fitting(room: number, heights: readonly number[], laneHeight: number): Fit {
  return (
    FITS.find(({ lane }, at) => (heights[at] ?? Infinity) + (lane ? laneHeight : 0) <= room) ??
    LEAST
  );
}

/**
 * What to show if there is no room for all: the rows of brokers that the step is about, of the
 * leader and of ISR members, in their usual order; and the offsets above them, unless even the rows
 * would be too small with them. The flags and the ends of the logs say their offsets, too.
 */
export function whatMatters(
  frame: Frame,
  partition: string,
  room: number,
  order?: readonly number[],
): Pick<StageRequest, "brokers" | "withOffsets"> {
  const brokers = rowsThatMatter(frame, partition, room, order);
  return {
    brokers,
    withOffsets: AXIS_HEIGHT_NAMES + brokers.length * LEAST_ROW <= room / SMALLEST,
  };
}

function rowsThatMatter(
  frame: Frame,
  partition: string,
  room: number,
  order?: readonly number[],
): readonly number[] {
  const all = brokersOf(frame, partition, order);
  const most = Math.max(2, Math.floor((room / SMALLEST - AXIS_HEIGHT_NAMES) / LEAST_ROW));
  if (all.length <= most) return all;
  const { leader = null, isr = [] } = frame.state.partitions[partition] ?? {};
  const about = frame.events.flatMap(({ numbers }) => [
    numbers.broker,
    numbers.leader,
    numbers.follower,
  ]);
  const ordered = [...new Set([...about, leader, ...isr, ...all])].filter((broker) =>
    all.includes(broker as number),
  );
  const kept = new Set(ordered.slice(0, most));
  return all.filter((broker) => kept.has(broker));
}

export interface Scaled {
  readonly layout: StageLayout;
  readonly scale: number;
}

/**
 * The last resort: the logs as large as the room allows, at the whole width; null if that would be
 * too small to read.
 */
export function scaled(
  room: number,
  width: number,
  layoutAt: (width: number) => StageLayout,
): Scaled | null {
  for (let scale = 1; scale >= LEAST_SCALE; scale -= SCALE_STEP) {
    const layout = layoutAt(width / scale);
    if (layout.height * scale <= room) return { layout, scale };
  }
  return null;
}
