/**
 * Explains an element in a tooltip: on hover, on focus, or after a tap. Escape closes it. There is
 * one tooltip for the whole page, also above open dialogs.
 */

import type { Attachment } from "svelte/attachments";

const ID = "hw-explanation";
const GAP = 6;
const MARGIN = 8;
/** How long (ms) a pointer may take from the word to the tooltip. */
const LEAVE_MS = 150;
/** How long (ms) a pointer must rest on a word, because a tooltip covers what is below the word. */
const REST_MS = 120;

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
  // Below the word, or above it if there is no room, and within the window.
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
  // Its container stays open.
  event.preventDefault();
  event.stopPropagation();
}

/** Explains an element with a text; null: no explanation. */
export function explain(text: string | null): Attachment<HTMLElement> {
  return (element) => {
    if (text === null) return;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const come = (): void => show(element, text);
    // A word that was scrolled under a pointer at rest is entered, but the pointer does not move.
    const move = (event: PointerEvent): void => {
      if (event.pointerType === "touch") return;
      clearTimeout(resting);
      if (shownFor === element) clearTimeout(leaving);
      else resting = setTimeout(come, REST_MS);
    };
    const leave = (): void => {
      clearTimeout(resting);
      if (shownFor === element) hideSoon();
    };
    const blur = (): void => {
      if (shownFor === element) hide();
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focus", come);
    element.addEventListener("blur", blur);
    element.addEventListener("click", come);
    return () => {
      clearTimeout(resting);
      blur();
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("focus", come);
      element.removeEventListener("blur", blur);
      element.removeEventListener("click", come);
    };
  };
}

/** Of the explained words in one text, Tab reaches the first; the arrow keys move to the others. */
export function amongTerms(event: KeyboardEvent): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const words = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>(":scope > .term") ?? [])];
  const next = words[words.indexOf(event.currentTarget) + by];
  if (next === undefined) return;
  next.focus();
  // Otherwise the page's arrow keys would step through the run.
  event.preventDefault();
  event.stopPropagation();
}
