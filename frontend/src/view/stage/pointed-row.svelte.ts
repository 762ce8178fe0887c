/** The broker whose row the mouse is over, once the pointer rests there. */

/** How long (ms) a pointer must rest on a row before its actions appear. */
const REST_MS = 120;

interface Row {
  readonly broker: number;
  readonly y: number;
  readonly height: number;
}

export class PointedRow {
  broker: number | null = $state(null);
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** The pointer moved over the logs. Over a row's actions, which lie on other rows too, the row stays. */
  move(event: PointerEvent, logs: HTMLElement, rows: readonly Row[]): void {
    if (event.pointerType === "touch") return;
    clearTimeout(this.#resting);
    if (event.target instanceof Element && event.target.closest(".actions-bar") !== null) return;
    const y = event.clientY - logs.getBoundingClientRect().top;
    const broker = rows.find((row) => y >= row.y && y < row.y + row.height)?.broker ?? null;
    if (broker !== this.broker) this.#resting = setTimeout(() => (this.broker = broker), this.broker === null ? REST_MS : 0);
  }

  leave(): void {
    clearTimeout(this.#resting);
    this.broker = null;
  }
}
