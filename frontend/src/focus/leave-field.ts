/** Leaves a text field with the keyboard. A mere blur would drop the focus, so that Tab starts anywhere. */

import type { Attachment } from "svelte/attachments";

/**
 * These keys leave the field. The focus returns to the element that had it before or, if there is
 * none or it is not shown any more, `elsewhere` moves it.
 */
export function leavesBy(keys: readonly string[], elsewhere: () => void): Attachment<HTMLElement> {
  return (field) => {
    let before: EventTarget | null = null;

    const note = ({ relatedTarget }: FocusEvent): void => {
      before = relatedTarget;
    };
    const leave = (event: KeyboardEvent): void => {
      if (!keys.includes(event.key) || event.isComposing) return;
      // Otherwise the element that receives the focus would use the key, too.
      event.preventDefault();
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
      if (document.activeElement === field) elsewhere();
    };

    field.addEventListener("focus", note);
    field.addEventListener("keydown", leave);
    return () => {
      field.removeEventListener("focus", note);
      field.removeEventListener("keydown", leave);
    };
  };
}
