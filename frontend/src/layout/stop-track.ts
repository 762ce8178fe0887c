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
/** The least distance of two marks that do not overlap. */
const MARK_APART = 11;

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
 * `right`. Where they would overlap, losses come first, then the first mark of each step.
 */
export function markLines({ places }: StopsLayout, marksOf: (stop: Stop) => readonly StopMark[], right: number): MarkLine[] {
  const wanted = places.flatMap(({ stop, ticks, x }) => {
    const marks = marksOf(stop).slice(0, MOST_MARKS);
    const first = Math.min(ticks[stop.telling - stop.from]?.x ?? x, right - (marks.length - 1) * MARK_WIDTH);
    return marks.map((mark, place) => ({ mark, at: first + place * MARK_WIDTH, rank: mark === "loss" ? 0 : place + 1 }));
  });
  // At most one mark is in a slot of this width, so that only its neighbours can overlap another one.
  const slots = new Map<number, number>();
  const isFree = (at: number): boolean => {
    const slot = Math.floor(at / MARK_APART);
    if ([slot - 1, slot, slot + 1].some((near) => Math.abs((slots.get(near) ?? Infinity) - at) < MARK_APART)) return false;
    slots.set(slot, at);
    return true;
  };
  const free = new Set([0, 1, 2].flatMap((rank) => wanted.filter((one) => one.rank === rank && isFree(one.at))));
  const lines = new Map<StopMark, number[]>();
  for (const { mark, at } of wanted.filter((one) => free.has(one))) {
    const line = lines.get(mark) ?? [];
    line.push(at);
    lines.set(mark, line);
  }
  return [...lines].map(([mark, at]) => ({ mark, at }));
}

function circle(x: number, y: number, radius: number): string {
  const [r, across] = [String(radius), String(2 * radius)];
  return `M${String(x - radius)} ${String(y)}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0`;
}
