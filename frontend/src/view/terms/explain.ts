/**
 * Explains an element in a tooltip: on hover, on focus, or after a tap. Escape and a press elsewhere
 * close it. There is one tooltip for the whole page, also above open dialogs.
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
  made.addEventListener("pointerenter", stay);
  made.addEventListener("pointerleave", hideSoon);
  (document.querySelector("main") ?? document.body).append(made);
  return made;
}

/** Shows the tooltip below the word, or above it; on the other side if there is no room. */
function show(of: HTMLElement, text: string, above = false): void {
  stay();
  const tip = box();
  tip.textContent = text;
  if (shownFor !== of) hide();
  shownFor = of;
  of.setAttribute("aria-describedby", ID);
  tip.showPopover?.();
  const word = of.getClientRects()[0] ?? of.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(MARGIN, Math.min(word.left, innerWidth - width - MARGIN))}px`;
  const roomAbove = word.top > height + GAP;
  const roomBelow = word.bottom + GAP + height <= innerHeight;
  tip.style.top = `${roomAbove && (above || !roomBelow) ? word.top - GAP - height : word.bottom + GAP}px`;
  window.addEventListener("keydown", onEscape, true);
  window.addEventListener("pointerdown", onPress, true);
  window.addEventListener("scroll", hide, true);
}

function hide(): void {
  stay();
  shownFor?.removeAttribute("aria-describedby");
  shownFor = null;
  document.getElementById(ID)?.hidePopover?.();
  window.removeEventListener("keydown", onEscape, true);
  window.removeEventListener("pointerdown", onPress, true);
  window.removeEventListener("scroll", hide, true);
}

function hideSoon(): void {
  leaving ??= setTimeout(hide, LEAVE_MS);
}

function stay(): void {
  clearTimeout(leaving);
  leaving = undefined;
}

function onPress({ target }: Event): void {
  if (!(target instanceof Node && box().contains(target))) hide();
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
      if (shownFor === element) stay();
      else resting = setTimeout(come, REST_MS);
    };
    const leave = (): void => {
      clearTimeout(resting);
      if (shownFor === element) hideSoon();
    };
    const blur = (): void => {
      if (shownFor === element) hide();
    };
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener("pointermove", move, { signal });
    element.addEventListener("pointerleave", leave, { signal });
    element.addEventListener("focus", come, { signal });
    element.addEventListener("blur", blur, { signal });
    element.addEventListener("click", come, { signal });
    return () => {
      clearTimeout(resting);
      blur();
      listening.abort();
    };
  };
}

export interface ExplainedMark {
  readonly meaning: string;
  /** The tooltip leaves what is below the mark free. */
  readonly above: boolean;
}

/**
 * Explains marks of a drawing: transparent elements over the one before them, in this order. What is
 * below a mark can still be clicked, because marks that let the pointer through are found by their
 * place.
 */
export function explainMarks(explained: readonly ExplainedMark[]): Attachment<HTMLElement> {
  return (marks) => {
    const drawing = marks.previousElementSibling;
    const around = marks.parentElement;
    if (drawing === null || around === null) return;
    let resting: ReturnType<typeof setTimeout> | undefined;
    let own: Element | null = null;
    let touched = false;

    const come = (mark: Element | undefined): void => {
      const found = mark === undefined ? undefined : explained[[...marks.children].indexOf(mark)];
      if (found === undefined || !(mark instanceof HTMLElement)) return;
      own = mark;
      show(mark, found.meaning, found.above);
    };
    const isOwn = (): boolean => shownFor !== null && shownFor === own;
    const markAt = ({ target, clientX, clientY }: MouseEvent): Element | undefined => {
      if (!(target instanceof Node) || !(drawing.contains(target) || marks.contains(target)))
        return undefined;
      return [...marks.children].find((mark) => {
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
      });
    };
    const move = (event: PointerEvent): void => {
      clearTimeout(resting);
      // Something may be dragged over the marks.
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      if (isOwn() && markAt(event) === own) stay();
      else {
        if (isOwn()) hideSoon();
        resting = setTimeout(() => come(markAt(event)), REST_MS);
      }
    };
    const leave = (): void => {
      clearTimeout(resting);
      if (isOwn()) hideSoon();
    };
    const blur = (): void => {
      if (isOwn()) hide();
    };
    const press = ({ pointerType }: PointerEvent): void => {
      clearTimeout(resting);
      touched = pointerType === "touch";
    };
    const click = (event: MouseEvent): void => {
      if (touched) come(markAt(event));
    };
    const focus = ({ target }: FocusEvent): void => {
      if (target instanceof Element) come(target);
    };
    const listening = new AbortController();
    const { signal } = listening;
    around.addEventListener("pointermove", move, { signal });
    around.addEventListener("pointerleave", leave, { signal });
    around.addEventListener("pointerdown", press, { signal });
    around.addEventListener("click", click, { signal });
    marks.addEventListener("focusin", focus, { signal });
    marks.addEventListener("focusout", blur, { signal });
    return () => {
      clearTimeout(resting);
      blur();
      listening.abort();
    };
  };
}

/** Of the explained words in one text, Tab reaches the first; the arrow keys move to the others. */
export function amongTerms(event: KeyboardEvent): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const words = [
    ...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>(":scope > .term") ?? []),
  ];
  const next = words[words.indexOf(event.currentTarget) + by];
  if (next === undefined) return;
  next.focus();
  // Otherwise the page's arrow keys would step through the run.
  event.preventDefault();
  event.stopPropagation();
}
