/** Virtual time in a run. */

import type { Frame } from "./frame";

/** Whether any of these frames is later than the first one: some lessons consist of steps that take no time. */
export function hasTime(frames: readonly Frame[]): boolean {
  return (frames.at(-1)?.state.time_ms ?? 0) > (frames[0]?.state.time_ms ?? 0);
}
