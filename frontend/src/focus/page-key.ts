/** Whether a key is for the page: no other part of it has used it, and it is neither typed into a field nor a browser's shortcut. */
export function isForPage(event: KeyboardEvent): boolean {
  const typing = event.target instanceof Element && event.target.matches("input, textarea, select");
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
  return !typing && !isShortcut && !event.defaultPrevented;
}
