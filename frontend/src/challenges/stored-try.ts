/** The try of each challenge, stored in this browser, so that a reload continues it. */

import { store, storedDocument } from "../service/stored";
import type { Step } from "../trace";

export interface StoredTry {
  readonly moves: readonly Step[];
  /** Undone moves; the next one to redo is the last. */
  readonly undone: readonly Step[];
}

/** Empty if nothing is stored, or if storage is not available. */
export function readTry(challenge: string): StoredTry {
  const { moves, undone } = storedDocument(keyOf(challenge));
  return { moves: steps(moves), undone: steps(undone) };
}

/** Without storage, the try lasts as long as the page. */
export function keepTry(challenge: string, { moves, undone }: StoredTry): void {
  const isEmpty = moves.length + undone.length === 0;
  store(keyOf(challenge), isEmpty ? null : JSON.stringify({ moves, undone }));
}

function keyOf(challenge: string): string {
  return `highwater-try-${challenge}`;
}

function steps(value: unknown): readonly Step[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
