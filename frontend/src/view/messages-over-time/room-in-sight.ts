/** If less of a view is in sight, one scrolls the page before one looks. */
const LEAST_IN_SIGHT = 72;

/** Downwards, the foot of the page may cover a part of a view of this height (px): the height of the rest. */
export function roomInSight(scroller: HTMLElement, view: number): number {
  const foot = Number.parseFloat(getComputedStyle(scroller).getPropertyValue("--foot-height")) || 0;
  const inSight = Math.min(view, innerHeight - foot - scroller.getBoundingClientRect().top);
  return inSight < LEAST_IN_SIGHT ? view : inSight;
}
