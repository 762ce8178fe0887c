/** Whole frames from the entries of a timeline. */

import type { Frame, FrameEntry, State } from "./frame";
import { applyPatch } from "./patch";

/**
 * The frames of one response of the service, with complete states. A patch is against the state of
 * the entry before it in the list; the list begins with a complete state, or with a patch against
 * `held`.
 */
export function readFrames(entries: readonly FrameEntry[], held: State | null = null): Frame[] {
  const frames: Frame[] = [];
  let state = held;
  for (const { state: whole, patch, ...rest } of entries) {
    const before: State | null = state;
    if (whole !== undefined) state = whole;
    else if (before !== null && patch !== undefined) state = applyPatch(before, patch);
    else throw new Error(`frame ${rest.frame} has neither a state nor a patch that can be applied`);
    frames.push({ ...rest, state });
  }
  return frames;
}
