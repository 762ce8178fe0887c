/** The positions of the story's steps on the timeline, and of the messages of the open one. */

import { stopAt, type Level, type Stop } from "../trace/story";
import { fitWords, textWidth, wrapText } from "./text";

export interface StopPlace {
  readonly stop: Stop;
  /** The dot of the step. */
  readonly x: number;
  readonly left: number;
  readonly width: number;
  /** A tick for each of its messages, if it is open. */
  readonly ticks: readonly { readonly index: number; readonly x: number }[];
  /** At most two lines; null if there is no room. */
  readonly label: readonly string[] | null;
  /** If there is no room for all dots, some steps share the dot of a neighbour. */
  readonly dot: boolean;
}

export interface StopsRequest {
  readonly stops: readonly Stop[];
  readonly index: number;
  readonly level: Level;
  readonly width: number;
  /** The labels below the dots; omitted: none. */
  readonly labelOf?: (stop: Stop) => string;
  /** The maximum width of the open step. */
  readonly openWidth?: number;
}

export interface StopsLayout {
  readonly places: readonly StopPlace[];
  readonly xOf: (index: number) => number;
  readonly indexAt: (x: number) => number;
}

/** The distance of the dot from the left end of its slot. */
const INSET = 8;
/** Between the last message of a step and the next step. */
const BEFORE_NEXT = 18;
const OPEN_WIDTH = 206;
const TICK_ROOM = 30;
const CLOSEST_DOTS = 9;
/** Labels are drawn with 12 px, in Inter, which the page has: the estimate for any font is too wide by this factor. */
const LABEL_SIZE = 12 * 0.91;
const LABEL_WIDTH = 132;
const EVENED = 4;
/** More room than the gap, without which two labels on one line would read as one. */
const APART = 8;
const LABEL_GAP = 8;
const SHORTEST_LABEL = 56;
/** The width of a label that extends over the dots of other steps. */
const CROWDED_LABEL = 84;
/** Labels over the dots of other steps stand for none of these, so they are further apart. */
const CROWDED_GAP = 24;

export function placeStops({
  stops,
  index,
  level,
  width,
  labelOf,
  openWidth = OPEN_WIDTH,
}: StopsRequest): StopsLayout {
  const current = stopAt(stops, index);
  const places = slotsOf(stops, current, level, width, openWidth).map(
    ({ stop, left, slot }, at): Slot => {
      const messages = stop.to - stop.from + 1;
      const open = messages > 1 && (level === "message" || stop === current);
      const between =
        level === "message" ? slot / messages : (slot - 2 * INSET - BEFORE_NEXT) / messages;
      const first = level === "message" ? left + INSET : left + INSET + between;
      const ticks = open
        ? Array.from({ length: messages }, (_, tick) => ({
            index: stop.from + tick,
            x: first + tick * between,
          }))
        : [];
      return { stop, x: left + INSET, left, width: slot, ticks, label: null, dot: true, at };
    },
  );
  return {
    places: withDots(
      labelOf === undefined ? places : withLabels(places, current, width, labelOf),
      current,
    ),
    xOf: (at) => xOf(places, at),
    indexAt: (x) => indexAt(places, x),
  };
}

type Slot = StopPlace & { readonly at: number };

/**
 * The width of each step. By steps, all are equal, and the open one has room for its ticks; by
 * messages, it is proportional to their number.
 */
function slotsOf(
  stops: readonly Stop[],
  current: Stop | undefined,
  level: Level,
  width: number,
  openWidth: number,
): { stop: Stop; left: number; slot: number }[] {
  const frames = stops.reduce((sum, stop) => sum + stop.to - stop.from + 1, 0);
  const messages = current === undefined ? 1 : current.to - current.from + 1;
  const even = width / Math.max(1, stops.length);
  const needed = messages > 1 ? Math.min(openWidth, TICK_ROOM * (messages + 1), width / 2) : 0;
  const wide = needed > even && stops.length > 1;
  const closed = wide ? (width - needed) / (stops.length - 1) : even;
  let left = 0;
  return stops.map((stop) => {
    const slot =
      level === "message"
        ? (width * (stop.to - stop.from + 1)) / Math.max(1, frames)
        : stop === current && wide
          ? needed
          : closed;
    const placed = { stop, left, slot };
    left += slot;
    return placed;
  });
}

/**
 * Labels if there is room: first the current step, then its neighbours, steps with marks, and the
 * others. Each ends before the next dot, so that the neighbours keep theirs; if the dots are too
 * close for that, it extends over some of them.
 */
function withLabels(
  places: readonly Slot[],
  current: Stop | undefined,
  width: number,
  labelOf: (stop: Stop) => string,
): Slot[] {
  const here = places.findIndex((place) => place.stop === current);
  const urgency = (place: Slot): number => {
    const away = Math.abs(place.at - here);
    return away <= 1 ? away : place.stop.marks.length > 0 ? 2 : 3;
  };
  const taken: { from: number; to: number }[] = [];
  const labels = new Map<Slot, readonly string[]>();
  for (const place of [...places].sort(
    (one, other) => urgency(one) - urgency(other) || one.at - other.at,
  )) {
    const from = place.x - 5;
    const own = place.width - LABEL_GAP;
    const crowded = own < SHORTEST_LABEL;
    const gap = crowded ? CROWDED_GAP : LABEL_GAP;
    const next = Math.min(
      width,
      ...taken.filter((other) => other.from >= from).map((other) => other.from - gap),
    );
    const room = Math.min(
      crowded ? CROWDED_LABEL : Math.min(own, place.stop === current ? own : LABEL_WIDTH),
      next - from,
    );
    const inside = taken.some((other) => other.from - gap < from && other.to + gap > from);
    if (inside || room < SHORTEST_LABEL) continue;
    const lines = twoLines(labelOf(place.stop), room);
    const to = from + Math.max(...lines.map((line) => textWidth(line, LABEL_SIZE)));
    labels.set(place, lines);
    taken.push({ from, to });
  }
  return places.map((place) => ({ ...place, label: labels.get(place) ?? null }));
}

/** One line if it stays apart from the next label, otherwise two of about the same length. */
function twoLines(label: string, room: number): string[] {
  const linesIn = (width: number): string[] => wrapText(label, LABEL_SIZE, width);
  let lines = linesIn(room - APART);
  if (lines.length > 2) lines = linesIn(room);
  // Less room never takes fewer lines, so the least room for two is found by halving.
  let [enough, tooLittle] = [1, Math.ceil(room / 2 / EVENED)];
  const narrower = lines.length === 2 ? linesIn(room - EVENED) : [];
  if (narrower.length === 2) {
    lines = narrower;
    while (tooLittle - enough > 1) {
      const half = Math.floor((enough + tooLittle) / 2);
      const found = linesIn(room - half * EVENED);
      if (found.length === 2) [enough, lines] = [half, found];
      else tooLittle = half;
    }
  }
  const [first = "", ...rest] = lines;
  return rest.length === 0 ? [first] : [first, fitWords(rest.join(" "), LABEL_SIZE, room)];
}

/**
 * If there are so many steps that dots would touch, only every nth step and the current one have a
 * dot.
 */
function withDots(places: readonly Slot[], current: Stop | undefined): StopPlace[] {
  let last = -Infinity;
  return places.map(({ at, ...place }) => {
    const dot =
      place.stop === current || at === places.length - 1 || place.x - last >= CLOSEST_DOTS;
    if (dot) last = place.x;
    return { ...place, dot };
  });
}

function xOf(places: readonly StopPlace[], index: number): number {
  const place = places.find(({ stop }) => index >= stop.from && index <= stop.to);
  return place === undefined ? INSET : (place.ticks[index - place.stop.from]?.x ?? place.x);
}

/** The nearest message or step; for a closed step, its end. */
function indexAt(places: readonly StopPlace[], x: number): number {
  const place = places.find(({ left, width }) => x < left + width) ?? places[places.length - 1];
  if (place === undefined) return 0;
  if (place.ticks.length === 0) return place.stop.to;
  const nearest = place.ticks.reduce((best, tick) =>
    Math.abs(tick.x - x) < Math.abs(best.x - x) ? tick : best,
  );
  return nearest.index;
}
