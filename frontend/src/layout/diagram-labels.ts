/** Places labels without overlap: each takes the first free position, or is omitted. */

import { overlaps, type Point, type Rectangle } from "./rectangle";
import { LABEL_SIZE, textWidth } from "./text";

export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export interface LabelRequest {
  readonly key: string;
  /** Labels with a lower rank are placed first. */
  readonly rank: number;
  /** Its forms, the best first. */
  readonly forms: readonly LabelForm[];
}

/** Lines of text, with the width of the longest and the centres of possible boxes, the best first. */
export interface LabelForm {
  readonly lines: readonly string[];
  readonly width: number;
  readonly middles: readonly Point[];
}

export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly lines: readonly string[];
}

export interface Obstacles {
  readonly boxes: readonly Rectangle[];
  readonly lines: readonly Segment[];
  /** Lines that a label may cross if it has no better position. */
  readonly faint: readonly Segment[];
  /** The lines at which the playhead stops: a label crosses a faint line rather than one of them. */
  readonly stops: readonly Segment[];
}

export const LABEL_HEIGHT = 14;
/** Between the lines of one label. */
export const LABEL_PITCH = 12;

export function labelHeight(lines: number): number {
  return LABEL_HEIGHT + (lines - 1) * LABEL_PITCH;
}

/** The width of a label's box. */
export function labelWidth(lines: readonly string[]): number {
  return Math.max(...lines.map((line) => textWidth(line, LABEL_SIZE))) + 4;
}

const ERROR_NAME = /[A-Z]+(?:_[A-Z]+)+/;

export function isErrorName(text: string): boolean {
  return ERROR_NAME.test(text);
}

/**
 * The lines of a label: one; or two if it has the name of an error, which is long. Names of errors
 * begin alike, so no part is left out.
 */
export function formsOf(text: string): string[][] {
  const name = ERROR_NAME.exec(text);
  if (name === null) return [[text]];
  const breaks = [...text].flatMap((character, at) => {
    if (character === " ") return [[text.slice(0, at), text.slice(at + 1)]];
    return character === "_" ? [[text.slice(0, at + 1), text.slice(at + 1)]] : [];
  });
  return [[text], ...breaks.sort((a, b) => labelWidth(a) - labelWidth(b)).slice(0, 1)];
}

/** The box of a placed label, whose text has this width. */
export function labelBox({ x, y, lines }: PlacedLabel, width: number): Rectangle {
  const height = labelHeight(lines.length);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** Key → centre and text, for each label that was placed within the bounds: the first form that has room. */
export function placeLabels(
  requests: readonly LabelRequest[],
  obstacles: Obstacles,
  bounds: Rectangle,
): Map<string, PlacedLabel> {
  const placed = new Map<string, PlacedLabel>();
  const taken: Rectangle[] = [...obstacles.boxes];
  for (const { key, forms } of [...requests].sort((a, b) => a.rank - b.rank)) {
    for (const { lines, width, middles } of forms) {
      const boxes = middles.map((middle) => labelBox({ ...middle, lines }, width));
      const free = boxes.filter(
        (box) =>
          isInside(box, bounds) &&
          !taken.some((other) => overlaps(box, other)) &&
          !obstacles.lines.some((line) => crosses(line, box)),
      );
      const found = cheapest(free, obstacles);
      if (found === undefined) continue;
      taken.push(found);
      placed.set(key, { x: found.x + width / 2, y: found.y + found.height / 2, lines });
      break;
    }
  }
  return placed;
}

/** The first of the boxes that cross the fewest stops and, of these, no faint line if possible. */
function cheapest(boxes: readonly Rectangle[], { faint, stops }: Obstacles): Rectangle | undefined {
  let found: Rectangle | undefined;
  let least = Infinity;
  for (const box of boxes) {
    const cost =
      2 * stops.filter((line) => crosses(line, box)).length +
      (faint.some((line) => crosses(line, box)) ? 1 : 0);
    if (cost >= least) continue;
    [found, least] = [box, cost];
    if (cost === 0) break;
  }
  return found;
}

function isInside(box: Rectangle, bounds: Rectangle): boolean {
  return (
    box.x >= bounds.x &&
    box.y >= bounds.y &&
    box.x + box.width <= bounds.x + bounds.width &&
    box.y + box.height <= bounds.y + bounds.height
  );
}

/** Whether a line crosses a box: the part of it between both pairs of sides is not empty. */
export function crosses({ x1, y1, x2, y2 }: Segment, box: Rectangle): boolean {
  let from = 0;
  let to = 1;
  for (const [start, way, low, high] of [
    [x1, x2 - x1, box.x, box.x + box.width],
    [y1, y2 - y1, box.y, box.y + box.height],
  ] as const) {
    if (way === 0) {
      if (start <= low || start >= high) return false;
      continue;
    }
    const a = (low - start) / way;
    const b = (high - start) / way;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
    if (from >= to) return false;
  }
  return true;
}
