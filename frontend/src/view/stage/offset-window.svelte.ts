/**
 * The part of the offset axis that the user looks at. Without the user it is the part that the step
 * is about: null and empty here.
 */

import type { Fold } from "../../layout/folding";
import { isInView, placeOf, type OffsetAxis } from "../../layout/offset-axis";

export class OffsetWindow {
  /** The first place in view, after scrolling. */
  scrolledTo: number | null = $state(null);
  /** The offset selected in the minimap, which takes precedence over the step's offsets and opened folds. */
  looksAt: number | null = $state(null);
  /** The opened folds of long logs. */
  opened: readonly Fold[] = $state.raw([]);
  /** The scroll bar; null while every place fits. */
  scrollBar: HTMLElement | null = $state(null);

  constructor(private readonly axisNow: () => OffsetAxis) {}

  /** Follows the step again. */
  follow(): void {
    this.scrolledTo = null;
    this.looksAt = null;
  }

  foldAgain(): void {
    this.follow();
    if (this.opened.length > 0) this.opened = [];
  }

  look(offset: number | null): void {
    this.foldAgain();
    this.looksAt = offset;
  }

  unfold(fold: Fold): void {
    this.scrolledTo = this.axisNow().hiddenPlaces;
    this.opened = [...this.opened, fold];
  }

  /** Scrolls as far as necessary to show an offset. */
  reveal(offset: number): void {
    const axis = this.axisNow();
    if (isInView(axis, offset)) return;
    const place = placeOf(axis, offset);
    this.scrolledTo = offset < axis.first ? place : place - axis.shownPlaces + 1;
  }

  /** Moves the scroll bar to the window's position, if the user did not scroll. */
  placeScrollBar(): void {
    const axis = this.axisNow();
    if (this.scrollBar === null) return;
    const left = axis.hiddenPlaces * axis.pitch;
    if (Math.abs(this.scrollBar.scrollLeft - left) >= axis.pitch) this.scrollBar.scrollLeft = left;
  }

  onscroll = (): void => {
    const axis = this.axisNow();
    if (this.scrollBar === null) return;
    const place = Math.round(this.scrollBar.scrollLeft / axis.pitch);
    if (place !== axis.hiddenPlaces) this.scrolledTo = place;
  };

  /** Scrolls by a wheel that moves sideways, or is turned with shift. */
  onwheel = (event: WheelEvent): void => {
    if (this.scrollBar === null) return;
    const by = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (Math.abs(by) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
    event.preventDefault();
    this.scrollBar.scrollLeft += by;
  };
}

/** The window of each partition, with its own position. */
export class OffsetWindows {
  readonly #windows: Record<string, OffsetWindow> = {};

  constructor(private readonly axisOf: (partition: string) => OffsetAxis) {}

  of(partition: string): OffsetWindow {
    return (this.#windows[partition] ??= new OffsetWindow(() => this.axisOf(partition)));
  }

  /** Follows the step again, in every partition. */
  follow(): void {
    for (const one of Object.values(this.#windows)) one.follow();
  }

  foldAgain(): void {
    for (const one of Object.values(this.#windows)) one.foldAgain();
  }
}
