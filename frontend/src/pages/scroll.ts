/** Where a page was scrolled to, kept with its entry in the browser's history. */

/** What comes after a page's data may take so many pictures to be there. */
const MOST_PICTURES = 90;

/** The page that is left remembers where it stood. */
export function keepScroll(): void {
  const state: unknown = history.state;
  history.replaceState({ ...(typeof state === "object" ? state : {}), scroll: scrollY }, "");
}

/** Back where the entry was left, once the page is long enough for that. */
export function restoreScroll(state: unknown, pictures = MOST_PICTURES): void {
  const scroll = typeof state === "object" && state !== null ? (state as { scroll?: unknown }).scroll : undefined;
  if (typeof scroll !== "number" || scroll <= 0) return;
  if (document.documentElement.scrollHeight >= scroll + innerHeight || pictures === 0) scrollTo(0, scroll);
  else requestAnimationFrame(() => restoreScroll(state, pictures - 1));
}

/** To a part of the page: what comes with an answer of the service is waited for. */
export function scrollToPart(id: string, pictures = MOST_PICTURES): void {
  const part = document.getElementById(id);
  if (part !== null || pictures === 0) part?.scrollIntoView();
  else requestAnimationFrame(() => scrollToPart(id, pictures - 1));
}
