/** The arrow keys in a table of cells, of which one at a time is a tab stop. */

interface Row<Cell> {
  readonly cells: readonly (Cell | null)[];
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus to the next existing cell in the direction of an arrow key, if there is one. */
export function focusNextCell<Cell>(
  event: KeyboardEvent,
  rows: readonly Row<Cell>[],
  row: number,
  column: number,
  idOf: (cell: Cell) => string,
): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  let [y, x] = [row + step[0], column + step[1]];
  let cell = rows[y]?.cells[x];
  while (cell === null) {
    [y, x] = [y + step[0], x + step[1]];
    cell = rows[y]?.cells[x];
  }
  if (cell !== undefined) document.getElementById(idOf(cell))?.focus();
}
