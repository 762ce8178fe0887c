/**
 * Draws the timeline's many signs with few shapes: one path for all dots of a kind, one text for
 * all marks of a kind.
 */

import type { Level, Stop, StopMark } from "../trace/story";
import type { StopsLayout } from "./stop-layout";

/** The parts behind and ahead of the playhead, as path data. */
export interface PastAndAhead {
  readonly past: string;
  readonly ahead: string;
}

export interface MarkLine {
  readonly mark: StopMark;
  /** The position of each sign. */
  readonly at: readonly number[];
}

const DOT = 4;
const SMALL_DOT = 2.4;
const TICK = 5;
/** The minimum distance at which messages have separate dots. */
const LEAST_APART = 5;
const MOST_MARKS = 2;
const MARK_WIDTH = 14;

/** A dot for each step that has room for one; those up to the current one are behind. */
export function stepDots({ places }: StopsLayout, current: Stop | undefined, y: number): PastAndAhead {
  const dots = places.filter(({ dot }) => dot);
  const isPast = (stop: Stop): boolean => current !== undefined && stop.from <= current.from;
  const path = (past: boolean): string => dots.filter(({ stop }) => isPast(stop) === past).map(({ x }) => circle(x, y, DOT)).join("");
  return { past: path(true), ahead: path(false) };
}

/**
 * The messages: by steps, a tick for each message of the open step; by messages, a small dot if
 * there is room.
 */
export function messageSigns({ places }: StopsLayout, level: Level, index: number, y: number): PastAndAhead {
  let [past, ahead] = ["", ""];
  for (const { ticks, width } of places) {
    if (level === "message" && width / ticks.length < LEAST_APART) continue;
    for (const tick of ticks) {
      const sign = level === "story" ? `M${String(tick.x)} ${String(y - TICK)}v${String(2 * TICK)}` : circle(tick.x, y, SMALL_DOT);
      if (tick.index <= index) past += sign;
      else ahead += sign;
    }
  }
  return { past, ahead };
}

/**
 * The shown marks, one line for each kind; at most two marks of a step, side by side, left of
 * `right`.
 */
export function markLines({ places }: StopsLayout, marksOf: (stop: Stop) => readonly StopMark[], right: number): MarkLine[] {
  const lines = new Map<StopMark, number[]>();
  for (const { stop, ticks, x } of places) {
    const marks = marksOf(stop).slice(0, MOST_MARKS);
    const first = Math.min(ticks[stop.telling - stop.from]?.x ?? x, right - (marks.length - 1) * MARK_WIDTH);
    marks.forEach((mark, place) => {
      const line = lines.get(mark) ?? [];
      line.push(first + place * MARK_WIDTH);
      lines.set(mark, line);
    });
  }
  return [...lines].map(([mark, at]) => ({ mark, at }));
}

function circle(x: number, y: number, radius: number): string {
  const [r, across] = [String(radius), String(2 * radius)];
  return `M${String(x - radius)} ${String(y)}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0`;
}
