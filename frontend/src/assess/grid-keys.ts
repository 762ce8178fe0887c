/** The keys of a table that is one tab stop: arrows, Home and End move from cell to cell. */

export interface Place {
  readonly row: number;
  readonly column: number;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** The cell that a key leads to; null for a key that does not move. */
export function movedBy(
  { key, ctrlKey }: Pick<KeyboardEvent, "key" | "ctrlKey">,
  { row, column }: Place,
  { rows, columns }: Size,
): Place | null {
  const [last, end] = [rows - 1, columns - 1];
  switch (key) {
    case "ArrowUp":
      return { row: Math.max(0, row - 1), column };
    case "ArrowDown":
      return { row: Math.min(last, row + 1), column };
    case "ArrowLeft":
      return { row, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: Math.min(end, column + 1) };
    case "Home":
      return { row: ctrlKey ? 0 : row, column: 0 };
    case "End":
      return { row: ctrlKey ? last : row, column: end };
    default:
      return null;
  }
}
