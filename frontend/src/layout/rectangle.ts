/** Rectangles, and the hatching drawn in them. */

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function overlaps(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The area that two rectangles share. */
export function overlap(a: Rectangle, b: Rectangle): number {
  if (!overlaps(a, b)) return 0;
  return (
    (Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    (Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))
  );
}

/** Hatching leaves so much at the edges of its box free. */
const INSET = 2;

/**
 * Diagonal lines in a box as one path, clipped by arithmetic, because figures must not contain
 * patterns or clip paths. `rising` lines run from bottom left to top right.
 */
export function hatchPath(box: Rectangle, gap: number, rising: boolean): string {
  const [x, y] = [box.x + INSET, box.y + INSET];
  const [width, height] = [box.width - 2 * INSET, box.height - 2 * INSET];
  const parts: string[] = [];
  for (let k = gap / 2; k < width + height; k += gap) {
    // The line left + top = k, in the box's own coordinates.
    const fromX = Math.max(0, k - height);
    const toX = Math.min(width, k);
    const [fromY, toY] = [k - fromX, k - toX];
    const flip = (at: number) => (rising ? y + at : y + height - at);
    parts.push(`M${round(x + fromX)} ${round(flip(fromY))}L${round(x + toX)} ${round(flip(toY))}`);
  }
  return parts.join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
