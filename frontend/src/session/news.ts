/** What the answer to an action adds to the frames that are held. */

import type { Acted } from "../service/api";
import { readFrames, type Frame } from "../trace";

/**
 * The frames held and those that follow them, without a gap. What others made in between comes with
 * the answer; where that was too much for one answer, it ends before the gap.
 */
export function withNews(held: readonly Frame[], { missed, frames }: Pick<Acted, "missed" | "frames">): Frame[] {
  const entries = [...missed, ...frames];
  const before = held[(entries[0]?.frame ?? 0) - 1];
  const all = [...held];
  for (const frame of readFrames(entries, before?.state)) {
    if (frame.frame === all.length) all.push(frame);
  }
  return all;
}
