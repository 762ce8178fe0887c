/**
 * What something means, in a box beside it: while it is pointed at, has the focus, or after a tap.
 * Escape closes the box. There is one box for the whole page, above open dialogs too.
 */

import type { Attachment } from "svelte/attachments";

const ID = "hw-explanation";
const GAP = 6;
const MARGIN = 8;
/** So long a pointer may take from the word to the box. */
const LEAVE_MS = 150;

let shownFor: HTMLElement | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;

function box(): HTMLElement {
  const found = document.getElementById(ID);
  if (found !== null) return found;
  const made = document.createElement("div");
  made.id = ID;
  made.role = "tooltip";
  made.className = "explanation";
  made.popover = "manual";
  made.addEventListener("pointerenter", () => clearTimeout(leaving));
  made.addEventListener("pointerleave", hideSoon);
  (document.querySelector("main") ?? document.body).append(made);
  return made;
}

function show(of: HTMLElement, text: string): void {
  clearTimeout(leaving);
  const tip = box();
  tip.textContent = text;
  if (shownFor !== of) hide();
  shownFor = of;
  of.setAttribute("aria-describedby", ID);
  tip.showPopover?.();
  // Below the word, or above it where there is no room, and within the window.
  const word = of.getClientRects()[0] ?? of.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(MARGIN, Math.min(word.left, innerWidth - width - MARGIN))}px`;
  tip.style.top = `${word.bottom + GAP + height > innerHeight && word.top > height + GAP ? word.top - GAP - height : word.bottom + GAP}px`;
  window.addEventListener("keydown", onEscape, true);
  window.addEventListener("scroll", hide, true);
}

function hide(): void {
  clearTimeout(leaving);
  shownFor?.removeAttribute("aria-describedby");
  shownFor = null;
  document.getElementById(ID)?.hidePopover?.();
  window.removeEventListener("keydown", onEscape, true);
  window.removeEventListener("scroll", hide, true);
}

function hideSoon(): void {
  clearTimeout(leaving);
  leaving = setTimeout(hide, LEAVE_MS);
}

function onEscape(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  hide();
  // What the word stands in stays open.
  event.preventDefault();
  event.stopPropagation();
}

/** Explains an element by a text; null explains nothing. */
export function explain(text: string | null): Attachment<HTMLElement> {
  return (element) => {
    if (text === null) return;
    const come = (): void => show(element, text);
    const leave = (): void => {
      if (shownFor === element) hideSoon();
    };
    const blur = (): void => {
      if (shownFor === element) hide();
    };
    element.addEventListener("pointerenter", come);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focus", come);
    element.addEventListener("blur", blur);
    element.addEventListener("click", come);
    return () => {
      blur();
      element.removeEventListener("pointerenter", come);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("focus", come);
      element.removeEventListener("blur", blur);
      element.removeEventListener("click", come);
    };
  };
}

/** Of the words that one text explains, Tab reaches the first; the arrow keys go on from there. */
export function amongTerms(event: KeyboardEvent): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const words = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>(":scope > .term") ?? [])];
  const next = words[words.indexOf(event.currentTarget) + by];
  if (next === undefined) return;
  next.focus();
  // The page's own arrow keys step through the run.
  event.preventDefault();
  event.stopPropagation();
}
