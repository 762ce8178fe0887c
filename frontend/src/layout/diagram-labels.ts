/** Places labels without overlap: each takes the first free position, or is omitted. */

import { overlaps, type Rectangle } from "./rectangle";

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
  /** Its texts, the longest first, each with the width and the centres of possible boxes, the best first. */
  readonly texts: readonly { readonly text: string; readonly width: number; readonly middles: readonly { readonly x: number; readonly y: number }[] }[];
}

export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly text: string;
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

/** Key → centre and text, for each label that was placed within the bounds: the longest text that has room. */
export function placeLabels(requests: readonly LabelRequest[], obstacles: Obstacles, bounds: Rectangle): Map<string, PlacedLabel> {
  const placed = new Map<string, PlacedLabel>();
  const taken: Rectangle[] = [...obstacles.boxes];
  for (const { key, texts } of [...requests].sort((a, b) => a.rank - b.rank)) {
    for (const { text, width, middles } of texts) {
      const boxes = middles.map(({ x, y }) => ({ x: x - width / 2, y: y - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT }));
      const free = boxes.filter((box) => isInside(box, bounds) && !taken.some((other) => overlaps(box, other)) && !obstacles.lines.some((line) => crosses(line, box)));
      const found = cheapest(free, obstacles);
      if (found === undefined) continue;
      taken.push(found);
      placed.set(key, { x: found.x + width / 2, y: found.y + LABEL_HEIGHT / 2, text });
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
    const cost = 2 * stops.filter((line) => crosses(line, box)).length + (faint.some((line) => crosses(line, box)) ? 1 : 0);
    if (cost >= least) continue;
    [found, least] = [box, cost];
    if (cost === 0) break;
  }
  return found;
}

function isInside(box: Rectangle, bounds: Rectangle): boolean {
  return box.x >= bounds.x && box.y >= bounds.y && box.x + box.width <= bounds.x + bounds.width && box.y + box.height <= bounds.y + bounds.height;
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
