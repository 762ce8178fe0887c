/** The addresses of a run. That of its page always identifies the shown frame, the level and the compared run. */

import type { Level } from "../trace/story";

/** The level at which a link opens: `?level=message`, otherwise the story. */
export function levelOf(search: URLSearchParams): Level {
  return search.get("level") === "message" ? "message" : "story";
}

export function sessionAddress(
  session: string,
  frame: number | null = null,
  level: Level = "story",
): string {
  const path = `/x/${encodeURIComponent(session)}`;
  if (frame === null) return path;
  const search = new URLSearchParams({ frame: String(frame) });
  writeLevel(search, level);
  return `${path}?${search.toString()}`;
}

/**
 * Writes the frame, the level and the compared run (an option's value, empty if there is none) into
 * the address, and removes parameters that only apply at the start, as a lesson's `step` does.
 */
export function showInAddress(frame: number, level: Level, beside: string): void {
  const url = new URL(location.href);
  url.searchParams.set("frame", String(frame));
  writeLevel(url.searchParams, level);
  if (beside === "") url.searchParams.delete("beside");
  else url.searchParams.set("beside", beside);
  for (const once of ["step", "play", "under", "share", "find"]) url.searchParams.delete(once);
  history.replaceState(history.state, "", url);
}

/** A link to the story has no level. */
function writeLevel(search: URLSearchParams, level: Level): void {
  if (level === "message") search.set("level", level);
  else search.delete("level");
}
