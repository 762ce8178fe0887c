/**
 * What is typed while the search is loaded goes into a field: the keyboard of a phone and an input
 * method write into nothing else, and a phone opens its keyboard only for a field that a touch or a
 * key focuses at once.
 */

import { rememberFocus } from "./focus-return";

/**
 * Shows no field, but focuses one. The returned function waits for a word that is being composed,
 * gives the focus back and returns what was typed; null if Escape has ended it.
 */
export function typeAhead(label: string, before = ""): () => Promise<string | null> {
  const returnFocus = rememberFocus();
  const field = document.createElement("input");
  field.className = "visually-hidden";
  field.style.position = "fixed";
  field.setAttribute("aria-label", label);
  field.autocomplete = "off";
  field.autocapitalize = "none";
  field.spellcheck = false;
  field.value = before;
  let composed: Promise<unknown> = Promise.resolve();
  field.addEventListener("compositionstart", () => {
    composed = new Promise((resolve) => {
      field.addEventListener("compositionend", resolve, { once: true });
    });
  });
  const leave = (): void => {
    field.remove();
    returnFocus();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) leave();
  });
  document.body.append(field);
  field.focus({ preventScroll: true });
  return async () => {
    await composed;
    if (!field.isConnected) return null;
    leave();
    return field.value;
  };
}
