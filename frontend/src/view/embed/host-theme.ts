/**
 * Detects the theme of the page around an embed: from its attributes, otherwise from the
 * background.
 */

export type Theme = "light" | "dark";

/** The attributes and classes that documentation sites set on their root or body. */
export const THEME_MARKS: readonly string[] = [
  "class",
  "style",
  "data-theme",
  "data-md-color-scheme",
  "data-bs-theme",
  "data-color-mode",
  "data-scheme",
  "data-mode",
];

const DARK = /\b(?:dark|slate|night)\b/i;
const LIGHT = /\b(?:light|day)\b/i;
const DARK_CLASS = /(?:^|\s)(?:theme-|is-)?dark(?:-mode|-theme)?(?:\s|$)/;
const LIGHT_CLASS = /(?:^|\s)(?:theme-|is-)?light(?:-mode|-theme)?(?:\s|$)/;

export function hostTheme(element: Element): Theme {
  const { documentElement: root, body } = element.ownerDocument;
  for (const marked of [body, root]) {
    for (const mark of THEME_MARKS) {
      const said = mark.startsWith("data-") ? marked.getAttribute(mark) : null;
      if (said !== null && DARK.test(said)) return "dark";
      if (said !== null && LIGHT.test(said)) return "light";
    }
    if (DARK_CLASS.test(marked.className)) return "dark";
    if (LIGHT_CLASS.test(marked.className)) return "light";
  }
  return behind(element);
}

/** By the first opaque background, from the element outwards; otherwise the browser's canvas. */
function behind(element: Element): Theme {
  for (let at: Element | null = element; at !== null; at = at.parentElement ?? hostOf(at)) {
    const colour = channels(getComputedStyle(at).backgroundColor);
    if (colour !== null) return luminance(colour) < 0.4 ? "dark" : "light";
  }
  const scheme = getComputedStyle(element.ownerDocument.documentElement).colorScheme;
  const canBeDark = /\bdark\b/.test(scheme);
  return canBeDark &&
    (!/\blight\b/.test(scheme) || matchMedia("(prefers-color-scheme: dark)").matches)
    ? "dark"
    : "light";
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/** Red, green and blue from 0 to 1; null for a transparent colour. */
export function channels(colour: string): readonly [number, number, number] | null {
  const wide = colour.startsWith("color(");
  // `rgb(1 2 3 / 0.5)`, `rgba(1, 2, 3, 0.5)`, `color(srgb 0.1 0.2 0.3 / 0.5)`; others have lightness first.
  const numbers =
    (wide ? colour.replace(/^color\(\S+/, "") : colour)
      .match(/[\d.]+(?:e-?\d+)?%?/g)
      ?.map(toNumber) ?? [];
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  if (numbers.length < 3 || alpha < 0.5) return null;
  if (/^(?:ok)?(?:lab|lch)\(/.test(colour)) {
    const lightness = colour.startsWith("ok") ? red : red / 100;
    return [lightness, lightness, lightness];
  }
  return wide ? [red, green, blue] : [red / 255, green / 255, blue / 255];
}

function toNumber(text: string): number {
  return text.endsWith("%") ? Number.parseFloat(text) / 100 : Number(text);
}

/** The relative luminance of WCAG 2, from 0 to 1. */
function luminance(colour: readonly [number, number, number]): number {
  const [red, green, blue] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
