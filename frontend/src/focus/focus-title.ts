/** Focuses the title of a page, so that a reader at the keyboard goes on from there. */
export function focusTitle(): void {
  const title = document.querySelector<HTMLElement>("h1");
  if (title === null) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}
