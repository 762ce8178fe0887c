/** The scroll position of a page, stored with its entry in the browser's history. */

/** The number of animation frames to wait for content that is rendered after a page's data. */
const MOST_PICTURES = 90;

/** Stores the scroll position of the page that is being left. */
export function keepScroll(): void {
  const state: unknown = history.state;
  history.replaceState({ ...(typeof state === "object" ? state : {}), scroll: scrollY }, "");
}

/** Restores the scroll position, as soon as the page is long enough. */
export function restoreScroll(state: unknown, pictures = MOST_PICTURES): void {
  const scroll =
    typeof state === "object" && state !== null
      ? (state as { scroll?: unknown }).scroll
      : undefined;
  if (typeof scroll !== "number" || scroll <= 0) return;
  if (document.documentElement.scrollHeight >= scroll + innerHeight || pictures === 0)
    scrollTo(0, scroll);
  else requestAnimationFrame(() => restoreScroll(state, pictures - 1));
}

/** Scrolls to a part of the page, and waits until it is rendered. */
export function scrollToPart(id: string, pictures = MOST_PICTURES): void {
  const part = document.getElementById(id);
  if (part !== null || pictures === 0) part?.scrollIntoView();
  else requestAnimationFrame(() => scrollToPart(id, pictures - 1));
}
