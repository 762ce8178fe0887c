/** Returns the focus to where it was before a menu or a dialog opened. */

/**
 * Remembers the focused element, which may be an SVG element such as a broker on the stage. The
 * returned function focuses it again, or does nothing if it has left the page.
 */
export function rememberFocus(): () => void {
  const before: (Element & Partial<HTMLOrSVGElement>) | null = document.activeElement;
  return () => {
    if (before !== document.body) before?.focus?.();
  };
}
