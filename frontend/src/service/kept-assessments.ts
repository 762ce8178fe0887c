/** The verdicts that were shared from this browser, with the right to delete them. */

import { store, storedDocument } from "./stored";

const KEY = "highwater-assessments";

export function deleteTokenOf(sid: string): string | null {
  const token = storedDocument(KEY)[sid];
  return typeof token === "string" ? token : null;
}

/** Null forgets it. */
export function keepDeleteToken(sid: string, token: string | null): void {
  const others = Object.entries(storedDocument(KEY)).filter(([other]) => other !== sid);
  const kept = token === null ? others : [...others, [sid, token]];
  store(KEY, JSON.stringify(Object.fromEntries(kept)));
}
