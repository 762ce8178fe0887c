/** The address of the page, which always identifies the shown frame. */

/**
 * Writes the frame into the address, and removes parameters that only apply at the start. Older links
 * have the frame as `step`.
 */
export function showInAddress(frame: number): void {
  const url = new URL(location.href);
  url.searchParams.set("frame", String(frame));
  for (const once of ["step", "play", "beside", "under", "share"]) url.searchParams.delete(once);
  history.replaceState(history.state, "", url);
}
