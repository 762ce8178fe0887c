/** Rectangles and the hatches drawn in them. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/**
 * Diagonal lines across a box as one path, cut at its edges by arithmetic: figures are to hold
 * neither patterns nor clips. `rising` lines run from bottom left to top right.
 */
export function hatchPath(box: Box, gap: number, rising: boolean): string {
  const { x, y, width, height } = box;
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

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
