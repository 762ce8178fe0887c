/** What fits into the frame that a host gives: first the clients' lane goes, then epochs, then words, then rows. */

import { brokersOf, layoutStage, type RowDetail, type StageRequest } from "../../layout/stage";
import type { Frame } from "../../trace";

export interface Fit {
  readonly detail: RowDetail;
  /** Whether there is room for what producers were told. */
  readonly lane: boolean;
}

/** From everything to as little as can be. */
export const FITS: readonly Fit[] = [
  { detail: "all", lane: true },
  { detail: "all", lane: false },
  { detail: "withoutEpochs", lane: false },
  { detail: "names", lane: false },
];
const LEAST: Fit = { detail: "names", lane: false };

/** The height of an axis, and of a row that gives up everything; and how far both may shrink. */
const AXIS = 27;
const LEAST_ROW = 68;
const SMALLEST = 0.8;

export type Request = Omit<StageRequest, "frame" | "previous" | "detail">;

/** How tall the logs are at most, for each of `FITS`: one for the whole run, so that rows do not jump. */
export function tallest(frames: readonly Frame[], request: (frame: Frame) => Request): readonly number[] {
  return FITS.map(({ detail }) => Math.max(0, ...frames.map((frame) => layoutStage({ ...request(frame), frame, previous: null, detail }).height)));
}

export function fitting(room: number, heights: readonly number[], laneHeight: number): Fit {
  return FITS.find(({ lane }, at) => (heights[at] ?? Infinity) + (lane ? laneHeight : 0) <= room) ?? LEAST;
}

/** The rows that matter where not all have room: whom the step is about, who leads, who is in sync; in their own order. */
export function rowsThatMatter(frame: Frame, partition: string, room: number): readonly number[] {
  const all = brokersOf(frame, partition);
  const most = Math.max(2, Math.floor((room / SMALLEST - AXIS) / LEAST_ROW));
  if (all.length <= most) return all;
  const { leader = null, isr = [] } = frame.state.partitions[partition] ?? {};
  const about = frame.events.flatMap(({ numbers }) => [numbers.broker, numbers.leader, numbers.follower]);
  const ordered = [...new Set([...about, leader, ...isr, ...all])].filter((broker) => all.includes(broker as number));
  const kept = new Set(ordered.slice(0, most));
  return all.filter((broker) => kept.has(broker));
}
