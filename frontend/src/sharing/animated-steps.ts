/** The steps that an animation of a share plays. */

import type { Frame, Translated } from "../trace";
import type { Stop } from "../trace/story";

/** A step of the branch on the screen. */
export interface AnimatedStep {
  readonly step: number;
  /** The numbers of its first and last frame. */
  readonly first: number;
  readonly last: number;
  readonly messages: number;
  /** Null if it is not known yet, or would reveal the answer to an open question. */
  readonly title: Translated | null;
}

/** Places of the first and the last step among the steps of the branch. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** The steps after `horizon`, a position on the branch, keep their titles back. */
export function animatedSteps(
  shown: readonly Frame[],
  stops: readonly Stop[],
  horizon: number,
): AnimatedStep[] {
  const numberOf = (position: number): number => shown[position]?.frame ?? 0;
  return stops.map(({ step, from, to, title }) => ({
    step,
    first: numberOf(from),
    last: numberOf(to),
    messages: to - from + 1,
    title: from > horizon ? null : title,
  }));
}

/** The last steps up to the frame `at` that fit into an animation; at the start, the first of the run. */
export function fittingPart(steps: readonly AnimatedStep[], at: number, most: number): Part {
  const place = steps.findLastIndex(({ first }) => first <= at);
  return place <= 0
    ? { from: 0, to: Math.max(0, Math.min(most, steps.length) - 1) }
    : { from: Math.max(0, place - most + 1), to: place };
}

/** The number of pictures: one for each step, and for a single step one for each of its messages. */
export function picturesOf(steps: readonly AnimatedStep[], { from, to }: Part): number {
  return from === to ? (steps[from]?.messages ?? 0) : to - from + 1;
}

/** The frames of the steps, as the service reads a range. */
export function rangeOf(steps: readonly AnimatedStep[], { from, to }: Part): string {
  return `${String(steps[from]?.first ?? 0)}-${String(steps[to]?.last ?? 0)}`;
}
