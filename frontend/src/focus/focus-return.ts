/** Returns the focus to where it was before something else was shown: a menu, a dialog, another page. */

/**
 * Remembers the focused element, which may be an SVG element such as a broker on the stage. The
 * returned function focuses it again. If it has left the page, the element with its id has taken its
 * place; without one nothing is focused.
 */
export function rememberFocus(): () => void {
  const before: (Element & Partial<HTMLOrSVGElement>) | null = document.activeElement;
  return () => {
    if (before === null || before === document.body) return;
    if (before.isConnected) before.focus?.();
    else document.getElementById(before.id)?.focus();
  };
}
