/** Gives the focus to the field of a form that is most likely to be changed. */
export function focusFirst(node: HTMLElement): void {
  const value =
    node.querySelector<HTMLElement>("[data-first]") ??
    node.querySelector<HTMLElement>("input, select, textarea");
  requestAnimationFrame(() => {
    value?.focus();
    if (value instanceof HTMLInputElement && value.type === "text") value.select();
  });
}
