/** Where another version of a run stands beside it: the same pairs of moments as in a comparison. */

import { api } from "../service/api";
import type { OtherVersion, Run } from "../session/run.svelte";
import { besideOf } from "./pairing";

/** The place in the other run's frames; without an answer of the service, as many messages along. */
export async function placeBeside(run: Run, other: OtherVersion): Promise<number> {
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
