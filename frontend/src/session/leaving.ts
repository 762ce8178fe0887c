/** Notifies the shown page that the application is about to show a different one. */

const LEAVING = "highwater:leaving";

/** Called before the address changes, because deferred work still belongs to the page that is being left. */
export function announceLeaving(): void {
  dispatchEvent(new Event(LEAVING));
}

/** Calls back before the page is left, also when the tab is closed. Returns a function that stops this. */
export function beforeLeaving(work: () => void): () => void {
  const events = ["pagehide", LEAVING];
  for (const event of events) addEventListener(event, work);
  return () => {
    for (const event of events) removeEventListener(event, work);
  };
}
