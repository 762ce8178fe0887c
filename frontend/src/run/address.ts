/** The address of the page, which always leads back to what is on the screen. */

/** Names the frame in the address; what was only to begin with is taken out. */
export function showInAddress(frame: number): void {
  const url = new URL(location.href);
  url.searchParams.set("step", String(frame));
  for (const once of ["play", "beside", "under"]) url.searchParams.delete(once);
  history.replaceState(history.state, "", url);
}
