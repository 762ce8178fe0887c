/** Opens an item's menu on a right click, the menu key, or a long press. */

import type { Attachment } from "svelte/attachments";

import type { Point } from "../../layout/rectangle";

const RESTS_FOR_MS = 550;
const MOVES_BY_PX = 10;
const CLICK_FOLLOWS_WITHIN_MS = 400;

/**
 * The menu opens below the finger: without this, lifting the finger would choose what is there.
 */
function ignoreClickOfThisTouch(): void {
  const ended = new AbortController();
  const { signal } = ended;
  window.addEventListener(
    "click",
    (event) => {
      event.preventDefault();
      event.stopPropagation();
      ended.abort();
    },
    { capture: true, signal },
  );
  window.addEventListener("pointerdown", () => ended.abort(), { capture: true, signal });
  window.addEventListener(
    "pointerup",
    () => setTimeout(() => ended.abort(), CLICK_FOLLOWS_WITHIN_MS),
    { capture: true, signal },
  );
}

/** The point of a menu that a key opens. */
export function pointBelow(element: Element): Point {
  const { left, width, bottom } = element.getBoundingClientRect();
  return { x: left + width / 2, y: bottom };
}

export function menuGesture(open: ((at: Point) => void) | undefined): Attachment<Element> {
  return (element) => {
    if (open === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let start = { x: 0, y: 0 };

    const cancel = (): void => {
      clearTimeout(timer);
      timer = undefined;
    };
    const onContextMenu = (event: Event): void => {
      cancel();
      event.preventDefault();
      const { clientX, clientY } = event as MouseEvent;
      // The menu key has no pointer position, so the item's position is used.
      open(clientX === 0 && clientY === 0 ? pointBelow(element) : { x: clientX, y: clientY });
    };
    const onPointerDown = (event: Event): void => {
      const { pointerType, clientX, clientY } = event as PointerEvent;
      if (pointerType !== "touch") return;
      start = { x: clientX, y: clientY };
      timer = setTimeout(() => {
        timer = undefined;
        ignoreClickOfThisTouch();
        open(start);
      }, RESTS_FOR_MS);
    };
    const onPointerMove = (event: Event): void => {
      const { clientX, clientY } = event as PointerEvent;
      if (Math.hypot(clientX - start.x, clientY - start.y) > MOVES_BY_PX) cancel();
    };

    const listeners: [string, (event: Event) => void][] = [
      ["contextmenu", onContextMenu],
      ["pointerdown", onPointerDown],
      ["pointermove", onPointerMove],
      ["pointerup", cancel],
      ["pointercancel", cancel],
    ];
    for (const [name, listener] of listeners) element.addEventListener(name, listener);
    return () => {
      cancel();
      for (const [name, listener] of listeners) element.removeEventListener(name, listener);
    };
  };
}
