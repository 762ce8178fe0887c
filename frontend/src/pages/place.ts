/** Where a reader is on a page: how far it is scrolled, and what the keyboard has the focus on. Both
 *  are stored with the page's entry in the browser's history. */

/** The number of animation frames to wait for content that is rendered after a page's data. */
const MOST_PICTURES = 90;

/** Stores the reader's place on the page that is being left. */
export function keepPlace(): void {
  const state: unknown = history.state;
  const own = typeof state === "object" ? state : {};
  history.replaceState({ ...own, scroll: scrollY, focus: selectorOf(document.activeElement) }, "");
}

/** How to find the element that the keyboard has the focus on; null if it has none. */
function selectorOf(element: Element | null): string | null {
  if (element?.matches(":focus-visible") !== true) return null;
  if (element.id !== "") return `#${CSS.escape(element.id)}`;
  const href = element.getAttribute("href");
  return href === null ? null : `a[href="${CSS.escape(href)}"]`;
}

/** Restores the reader's place, as soon as the page is long enough and has the element. */
export function restorePlace(state: unknown, pictures = MOST_PICTURES): void {
  if (typeof state !== "object" || state === null) return;
  const { scroll, focus } = state as { scroll?: unknown; focus?: unknown };
  const height = typeof scroll === "number" ? scroll : 0;
  const found = typeof focus === "string" ? document.querySelector<HTMLElement>(focus) : null;
  const isLong = document.documentElement.scrollHeight >= height + innerHeight;
  const waits = (height > 0 && !isLong) || (typeof focus === "string" && found === null);
  if (waits && pictures > 0) {
    requestAnimationFrame(() => restorePlace(state, pictures - 1));
    return;
  }
  if (height > 0) scrollTo(0, height);
  if (document.activeElement === document.body) found?.focus({ preventScroll: true });
}

/** Scrolls to a part of the page, and waits until it is rendered. */
export function scrollToPart(id: string, pictures = MOST_PICTURES): void {
  const part = document.getElementById(id);
  if (part !== null || pictures === 0) part?.scrollIntoView();
  else requestAnimationFrame(() => scrollToPart(id, pictures - 1));
}
