/** The release whose verdicts this browser shows. */

import { store, stored } from "../service/stored";

const KEY = "highwater-release";

/** The release that was chosen last, if it is one of these; otherwise the newest of them. */
export function chosenRelease(releases: readonly string[]): string {
  const chosen = stored(KEY);
  return chosen !== null && releases.includes(chosen) ? chosen : (releases.at(-1) ?? "");
}

export function keepRelease(kafka: string): void {
  store(KEY, kafka);
}
