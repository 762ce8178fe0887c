/** The data point of a chart whose card is open, and its position: opened by pointer or focus, until both have left. */

const LEAVES_AFTER_MS = 200;
const GAP = 6;
/** A card that does not fit below its mark is shown above it. */
const ROOM = 170;

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly above: boolean;
}

export class MarkCards<Mark> {
  shown = $state.raw<{ readonly mark: Mark; readonly place: Place } | null>(null);
  #leaving: ReturnType<typeof setTimeout> | undefined;

  show(mark: Mark, element: Element): void {
    this.keep();
    const box = element.getBoundingClientRect();
    const above = box.bottom + ROOM > window.innerHeight && box.top > ROOM;
    this.shown = {
      mark,
      place: { x: box.left + box.width / 2, y: above ? box.top - GAP : box.bottom + GAP, above },
    };
  }

  /** The pointer or the focus is in the card itself. */
  keep(): void {
    clearTimeout(this.#leaving);
  }

  /** It left the data point, possibly for the card. */
  leave(): void {
    this.keep();
    this.#leaving = setTimeout(() => {
      this.hide();
    }, LEAVES_AFTER_MS);
  }

  hide(): void {
    this.keep();
    this.shown = null;
  }
}
