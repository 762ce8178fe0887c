/** The position of the same run under another version, with the same pairs as in a comparison. */

import type { OtherVersion } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
import { besideOf } from "./pairing";

/**
 * The position in the other run's frames; without a response from the service, the same number of
 * messages.
 */
export async function positionInOtherRun(run: Run, other: OtherVersion): Promise<number> {
  const { path, index } = run;
  try {
    const compared = await run.compare({ at: path[path.length - 1], kafka: other.kafka });
    if (compared === null) return index;
    const { steps } = compared;
    const beside = other.frames.map(({ frame }) => frame);
    return besideOf(steps, path, beside, index).index;
  } catch {
    return index;
  }
}
