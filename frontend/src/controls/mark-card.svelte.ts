/** The data points of a chart: the one whose card is open, by pointer or focus until both have left, and their keys. */

const LEAVES_AFTER_MS = 200;
const GAP = 6;
/** A card that does not fit below its mark is shown above it. */
const ROOM = 170;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly above: boolean;
}

export class MarkCards<Mark> {
  shown = $state.raw<{ readonly mark: Mark; readonly place: Place } | null>(null);
  #leaving: ReturnType<typeof setTimeout> | undefined;

  /** The attributes of a data point that open its card. */
  opens(mark: Mark) {
    const show = ({ currentTarget }: { readonly currentTarget: Element }): void =>
      this.#show(mark, currentTarget);
    const leave = (): void => this.leave();
    return { onfocus: show, onblur: leave, onpointerenter: show, onpointerleave: leave };
  }

  #show(mark: Mark, element: Element): void {
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
    this.#leaving = setTimeout(() => this.hide(), LEAVES_AFTER_MS);
  }

  hide(): void {
    this.keep();
    this.shown = null;
  }
}

/** Opens the run of a data point with Enter or a space, and moves the focus to the next or previous one with the arrow keys. */
export function onMarkKey(
  event: KeyboardEvent & { currentTarget: SVGElement },
  open: () => void,
): void {
  const { key, currentTarget } = event;
  const { nextElementSibling, previousElementSibling } = currentTarget;
  const target = { ArrowRight: nextElementSibling, ArrowLeft: previousElementSibling }[key];
  if (key === "Enter" || key === " ") {
    event.preventDefault();
    open();
  } else if (target instanceof SVGElement && target.matches("[role=button]")) {
    event.preventDefault();
    target.focus();
  }
}
