/** The timeline's many signs as few shapes: one path for all dots that are alike, one text for all marks of a kind. */

import type { Level, Stop, StopMark } from "../trace/story";
import type { StopsLayout } from "./stop-layout";

/** What is behind the playhead, and what is ahead of it, as the data of paths. */
export interface PastAndAhead {
  readonly past: string;
  readonly ahead: string;
}

export interface MarkLine {
  readonly mark: StopMark;
  /** Where each sign stands. */
  readonly at: readonly number[];
}

const DOT = 4;
const SMALL_DOT = 2.4;
const TICK = 5;
/** So far apart messages have dots of their own. */
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

/** The messages: by steps a tick for each of the open one, by messages a small dot where there is room. */
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

/** The marks that are shown, each kind in a line; of a step at most two, beside each other, before `right`. */
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
