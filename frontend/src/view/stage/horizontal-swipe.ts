/**
 * A finger that moves sideways over the logs: it drags the scroll bar if there is one, otherwise it
 * swipes through the run. A vertical movement scrolls the page.
 */

import type { Attachment } from "svelte/attachments";

/** The minimum horizontal distance (px) of a swipe, and its minimum ratio to the vertical distance. */
const SWIPE_LEAST = 40;
const SWIPE_SLOPE = 1.5;

interface Swiped {
  /** The scroll bar to drag; null if there is none. */
  readonly scrollBar: () => HTMLElement | null;
  /** 1 is forwards. */
  readonly onswipe: (direction: 1 | -1) => void;
}

export function horizontalSwipe({ scrollBar, onswipe }: Swiped): Attachment<HTMLElement> {
  return (element) => {
    let touch: { id: number; x: number; y: number; left: number } | null = null;

    const onPointerDown = (event: PointerEvent): void => {
      if (event.pointerType === "touch")
        touch = {
          id: event.pointerId,
          x: event.clientX,
          y: event.clientY,
          left: scrollBar()?.scrollLeft ?? 0,
        };
    };
    const onPointerMove = (event: PointerEvent): void => {
      const dragged = touch?.id === event.pointerId ? scrollBar() : null;
      if (touch !== null && dragged !== null)
        dragged.scrollLeft = touch.left + touch.x - event.clientX;
    };
    const onPointerUp = (event: PointerEvent): void => {
      if (touch?.id === event.pointerId && scrollBar() === null) {
        const [across, along] = [event.clientX - touch.x, event.clientY - touch.y];
        if (Math.abs(across) >= SWIPE_LEAST && Math.abs(across) > Math.abs(along) * SWIPE_SLOPE)
          onswipe(across < 0 ? 1 : -1);
      }
      touch = null;
    };
    const onPointerCancel = (): void => {
      touch = null;
    };

    const listeners = [
      ["pointerdown", onPointerDown],
      ["pointermove", onPointerMove],
      ["pointerup", onPointerUp],
      ["pointercancel", onPointerCancel],
    ] as const;
    for (const [name, listener] of listeners) element.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener);
    };
  };
}
