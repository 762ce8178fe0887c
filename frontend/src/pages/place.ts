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

/** Restores the reader's place: the height once the page is long enough, the focus once it has the
 *  element. */
export function restorePlace(state: unknown): void {
  if (typeof state !== "object" || state === null) return;
  const { scroll, focus } = state as { scroll?: unknown; focus?: unknown };
  if (typeof scroll === "number" && scroll > 0)
    whenRendered(
      () => document.documentElement.scrollHeight >= scroll + innerHeight,
      () => scrollTo(0, scroll),
    );
  if (typeof focus === "string") {
    const element = () => document.querySelector<HTMLElement>(focus);
    whenRendered(
      () => element() !== null,
      () => {
        if (document.activeElement === document.body) element()?.focus({ preventScroll: true });
      },
    );
  }
}

/** Scrolls to a part of the page, once it is rendered. */
export function scrollToPart(id: string): void {
  const part = () => document.getElementById(id);
  whenRendered(
    () => part() !== null,
    () => part()?.scrollIntoView(),
  );
}

/** Acts as soon as the page is ready, or when it has had its time. */
function whenRendered(isReady: () => boolean, act: () => void, pictures = MOST_PICTURES): void {
  if (isReady() || pictures === 0) act();
  else requestAnimationFrame(() => whenRendered(isReady, act, pictures - 1));
}
