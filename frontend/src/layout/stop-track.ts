/**
 * Draws the timeline's many signs with few shapes: one path for all dots of a kind, one text for
 * all marks of a kind.
 */

import type { Level, Stop, StopMark } from "../trace/story";
import type { StopPlace, StopsLayout } from "./stop-layout";

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
const MARK_WIDTH = 14;
/** The least distance of two marks that do not overlap. */
const MARK_APART = 11;
/**
 * The marks that keep their place if there is no room for all: a loss, a question, the most important
 * other event, a note, and then the others.
 */
const RANKS: Readonly<Partial<Record<StopMark, number>>> = { loss: 0, question: 1, note: 3 };
const EVENT_RANK = 2;
const LAST_RANK = 4;

/** The marks over one dot or tick. */
interface MarkedPlace {
  readonly x: number;
  /** The distance to the next dot or tick. */
  readonly room: number;
  readonly marks: readonly StopMark[];
}

/** A dot for each step that has room for one; those up to the current one are behind. */
export function stepDots(
  { places }: StopsLayout,
  current: Stop | undefined,
  y: number,
): PastAndAhead {
  const dots = places.filter(({ dot }) => dot);
  const isPast = (stop: Stop): boolean => current !== undefined && stop.from <= current.from;
  const path = (past: boolean): string =>
    dots
      .filter(({ stop }) => isPast(stop) === past)
      .map(({ x }) => circle(x, y, DOT))
      .join("");
  return { past: path(true), ahead: path(false) };
}

/**
 * The messages: by steps, a tick for each message of the open step; by messages, a small dot if
 * there is room.
 */
export function messageSigns(
  { places }: StopsLayout,
  level: Level,
  index: number,
  y: number,
): PastAndAhead {
  let [past, ahead] = ["", ""];
  for (const { ticks, width } of places) {
    if (level === "message" && width / ticks.length < LEAST_APART) continue;
    for (const tick of ticks) {
      const sign =
        level === "story" ? `M${tick.x} ${y - TICK}v${2 * TICK}` : circle(tick.x, y, SMALL_DOT);
      if (tick.index <= index) past += sign;
      else ahead += sign;
    }
  }
  return { past, ahead };
}

/**
 * The shown marks, one line for each kind: over the dot of their step, those of an open step over
 * their ticks. The marks of one place are side by side, as many as there is room for before the next
 * place, left of `right`.
 */
export function markLines(
  { places }: StopsLayout,
  marksOf: (stop: Stop) => readonly StopMark[],
  right: number,
): MarkLine[] {
  const wanted = places
    .flatMap((place) => markedPlaces(place, marksOf(place.stop)))
    .flatMap(({ x, room, marks }) => {
      const fitting = mostImportant(marks, Math.max(1, Math.ceil(room / MARK_APART) - 1));
      const apart = Math.min(MARK_WIDTH, room / fitting.length);
      const first = Math.min(x, right - (fitting.length - 1) * apart);
      return fitting.map(({ mark, rank }, at) => ({ mark, rank, at: first + at * apart }));
    });
  // At most one mark is in a slot of this width, so that only its neighbours can overlap another one.
  const slots = new Map<number, number>();
  const isFree = (at: number): boolean => {
    const slot = Math.floor(at / MARK_APART);
    if (
      [slot - 1, slot, slot + 1].some(
        (near) => Math.abs((slots.get(near) ?? Infinity) - at) < MARK_APART,
      )
    )
      return false;
    slots.set(slot, at);
    return true;
  };
  const free = new Set(
    [...wanted].sort((one, other) => one.rank - other.rank).filter((one) => isFree(one.at)),
  );
  const lines = new Map<StopMark, number[]>();
  for (const { mark, at } of wanted.filter((one) => free.has(one))) {
    const line = lines.get(mark) ?? [];
    line.push(at);
    lines.set(mark, line);
  }
  return [...lines].map(([mark, at]) => ({ mark, at }));
}

/** An embed does not know the positions of marks: they are at the most important message. */
function markedPlaces(
  { stop, x, width, ticks }: StopPlace,
  marks: readonly StopMark[],
): MarkedPlace[] {
  if (ticks.length === 0) return [{ x, room: width, marks }];
  const byPosition = new Map<number, StopMark[]>();
  for (const mark of marks)
    for (const at of stop.markedAt?.[mark] ?? [stop.telling])
      byPosition.set(at, [...(byPosition.get(at) ?? []), mark]);
  return [...byPosition]
    .sort(([one], [other]) => one - other)
    .map(([at, own]) => {
      const here = ticks[at - stop.from]?.x ?? x;
      return { x: here, room: (ticks[at - stop.from + 1]?.x ?? x + width) - here, marks: own };
    });
}

/** At most so many of a place's marks, in their order. */
function mostImportant(
  marks: readonly StopMark[],
  most: number,
): { readonly mark: StopMark; readonly rank: number }[] {
  const event = marks.find((mark) => RANKS[mark] === undefined);
  const ranked = marks.map((mark) => ({
    mark,
    rank: RANKS[mark] ?? (mark === event ? EVENT_RANK : LAST_RANK),
  }));
  const kept = new Set([...ranked].sort((one, other) => one.rank - other.rank).slice(0, most));
  return ranked.filter((one) => kept.has(one));
}

function circle(x: number, y: number, radius: number): string {
  const [r, across] = [String(radius), String(2 * radius)];
  return `M${x - radius} ${y}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0`;
}
