/** The width of a text as the browser draws it. */

import { textWidth } from "../../layout/text";

/** The texts that are kept; they are few, because they repeat from frame to frame. */
const MOST_KEPT = 500;

const known = new Map<string, number>();
let context: OffscreenCanvasRenderingContext2D | null | undefined;

/**
 * The width (px) of a text in the font of an element, at a size (px); an estimate where there is no
 * canvas, as in tests without a browser.
 */
export function measuredWidth(text: string, beside: Element, size: number, bold = false): number {
  const key = `${bold ? "600 " : ""}${size}px ${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const width = measure(text, beside, size, bold);
  if (known.size >= MOST_KEPT) known.clear();
  known.set(key, width);
  return width;
}

function measure(text: string, beside: Element, size: number, bold: boolean): number {
  context ??=
    typeof OffscreenCanvas === "function" ? new OffscreenCanvas(1, 1).getContext("2d") : null;
  if (context === null) return textWidth(text, size, bold);
  context.font = `${bold ? "600 " : ""}${size}px ${getComputedStyle(beside).fontFamily}`;
  return context.measureText(text).width;
}
