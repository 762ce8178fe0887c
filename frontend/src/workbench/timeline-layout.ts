/** Where things stand on the timeline. Many steps share the room: dots thin out and marks gather, steps never vanish. */

import type { Node, Branch } from "../session/branches";
import type { Marker } from "../trace";

export interface Scale {
  readonly width: number;
  readonly pitch: number;
  /** The last step that has a place. */
  readonly last: number;
  readonly xOf: (step: number) => number;
  readonly stepAt: (x: number) => number;
}

export interface Mark {
  readonly marker: Marker;
  readonly step: number;
  readonly x: number;
  /** How many marks stand here, this one included. */
  readonly count: number;
}

/** A branch beside the open one: it leaves after `parting`, its own steps run from there to `end`. */
export interface Row {
  readonly tip: number;
  readonly parting: number;
  readonly end: number;
  /** Its first frame that the open branch does not have. */
  readonly first: number;
}

const PADDING = 14;
const DOT_ROOM = 8;
const MARK_ROOM = 15;
/** A short run keeps its steps together rather than spread over a wide screen. */
const WIDEST_PITCH = 110;

/** The most telling first: it stands for those it gathers. */
const TELLING: readonly Marker[] = ["violation", "truncation", "election", "isr", "acknowledged"];

export function scaleOf(width: number, last: number): Scale {
  const room = Math.max(width - 2 * PADDING, 1);
  const pitch = last <= 0 ? 0 : Math.min(room / last, WIDEST_PITCH);
  return {
    width,
    pitch,
    last,
    xOf: (step) => PADDING + step * pitch,
    stepAt: (x) => (pitch === 0 ? 0 : Math.min(last, Math.max(0, Math.round((x - PADDING) / pitch)))),
  };
}

/** The steps from `from` to `to` that get a dot: both ends always, those between as far as there is room. */
export function dotsOf(scale: Scale, from: number, to: number): number[] {
  if (to < from) return [];
  const every = scale.pitch === 0 ? 1 : Math.max(1, Math.ceil(DOT_ROOM / scale.pitch));
  const dots: number[] = [];
  for (let step = from; step < to; step += every) dots.push(step);
  dots.push(to);
  return dots;
}

/** Marks that would stand on each other become one: the most telling, with how many they are. */
export function marksOf(scale: Scale, markers: readonly (Marker | null)[]): Mark[] {
  const marks: Mark[] = [];
  let start = Number.NEGATIVE_INFINITY;
  markers.forEach((marker, step) => {
    if (marker === null) return;
    const x = scale.xOf(step);
    const there = marks.at(-1);
    if (there === undefined || x - start >= MARK_ROOM) {
      marks.push({ marker, step, x, count: 1 });
      start = x;
    } else {
      const wins = TELLING.indexOf(marker) < TELLING.indexOf(there.marker);
      marks[marks.length - 1] = { ...(wins ? { marker, step, x } : there), count: there.count + 1 };
    }
  });
  return marks;
}

/** The nearest step with a mark, before or after a step; null where there is none. */
export function markedStep(markers: readonly (Marker | null)[], from: number, direction: 1 | -1): number | null {
  for (let step = from + direction; step >= 0 && step < markers.length; step += direction) {
    if ((markers[step] ?? null) !== null) return step;
  }
  return null;
}

/**
 * The rows under the open branch, the longest shared past last: each is drawn from the step where it leaves.
 * Positions count from the first frame of the path.
 */
export function rowsBeside(
  path: readonly number[],
  branches: readonly Branch[],
  nodeOf: (frame: number) => Node | undefined,
): Row[] {
  const start = nodeOf(path[0] ?? 0)?.depth ?? 0;
  const open = path.at(-1);
  const rows: Row[] = [];
  for (const { tip } of branches) {
    if (tip === open) continue;
    let node = nodeOf(tip);
    let first = tip;
    while (node !== undefined && path[node.depth - start] !== node.frame) {
      first = node.frame;
      node = node.parent === null ? undefined : nodeOf(node.parent);
    }
    const end = nodeOf(tip)?.depth;
    if (node !== undefined && end !== undefined) rows.push({ tip, parting: node.depth - start, end: end - start, first });
  }
  return rows;
}

/** The first step at which two runs of the same actions are no longer the same; null where they never part. */
export function partingOf(mine: readonly string[], theirs: readonly string[]): number | null {
  const shared = Math.min(mine.length, theirs.length);
  for (let step = 0; step < shared; step += 1) if (mine[step] !== theirs[step]) return step;
  return mine.length === theirs.length ? null : shared;
}

/** A line that leaves the open branch at (x, y) and runs level from (toX, toY) on. */
export function leaving(x: number, y: number, toX: number, toY: number): string {
  const middle = (x + toX) / 2;
  return `M${String(x)} ${String(y)}C${String(middle)} ${String(y)} ${String(middle)} ${String(toY)} ${String(toX)} ${String(toY)}`;
}
