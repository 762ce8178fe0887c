/** An action on a stored run, which is performed in the copy that is created for it. */

import type { Level } from "../trace/story";
import { sessionAddress } from "./address";

export interface ActionAfterFork {
  /** The position on the branch. */
  readonly index: number;
  readonly level: Level;
  /** The run to compare with, as an option's value. */
  readonly beside?: string;
  /** The release under which to replay its steps. */
  readonly under?: string;
}

/** The address of the copy, with the action to perform there. */
export function copyAddress(
  session: string,
  { index, level, beside, under }: ActionAfterFork,
): string {
  // The copy has only this branch, and its frames are numbered along it.
  const query = new URLSearchParams({
    ...(beside === undefined ? {} : { beside }),
    ...(under === undefined ? {} : { under }),
  }).toString();
  return `${sessionAddress(session, index, level)}${query === "" ? "" : `&${query}`}`;
}
