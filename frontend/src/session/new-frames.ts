/** Adds the response to an action to the loaded frames. */

import type { Acted } from "../service/api";
import { readFrames, type Frame } from "../trace";

/**
 * The loaded frames and the new ones, without a gap. The response includes frames that other
 * clients created in between; if they did not fit, the result ends before the gap.
 */
export function withNewFrames(
  held: readonly Frame[],
  { missed, frames }: Pick<Acted, "missed" | "frames">,
): Frame[] {
  const entries = [...missed, ...frames];
  const before = held[(entries[0]?.frame ?? 0) - 1];
  const all = [...held];
  for (const frame of readFrames(entries, before?.state)) {
    if (frame.frame === all.length) all.push(frame);
  }
  return all;
}
