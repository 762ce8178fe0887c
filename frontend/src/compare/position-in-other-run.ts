/** The position of the same run under another version, with the same pairs as in a comparison. */

import { api } from "../service/api";
import type { OtherVersion } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
import { besideOf } from "./pairing";

/**
 * The position in the other run's frames; without a response from the service, the same number of
 * messages.
 */
export async function positionInOtherRun(run: Run, other: OtherVersion): Promise<number> {
  const { session, path, index } = run;
  if (session === null) return index;
  try {
    const { steps } = await api.compare(session, { at: path[path.length - 1], kafka: other.kafka });
    const beside = other.frames.map(({ frame }) => frame);
    return besideOf(steps, path, beside, index).index;
  } catch {
    return index;
  }
}
