/** Work that can wait until the page has been drawn. */

/** At the latest after this time (ms), also if the page is never at rest. */
const LATEST_MS = 5000;
const WITHOUT_IDLE_MS = 500;

/** Does the work when the browser has nothing else to do. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  // Safari does not report when it is idle.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(work, WITHOUT_IDLE_MS);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: LATEST_MS });
  return () => cancelIdleCallback(asked);
}
