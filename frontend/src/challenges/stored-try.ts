/** The try of each challenge, stored in this browser, so that a reload continues it. */

import type { Step } from "../trace";

export interface StoredTry {
  readonly moves: readonly Step[];
  /** Undone moves; the next one to redo is the last. */
  readonly undone: readonly Step[];
}

const NOTHING: StoredTry = { moves: [], undone: [] };

/** Empty if nothing is stored, or if storage is not available. */
export function readTry(challenge: string): StoredTry {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(challenge)) ?? "null");
    if (typeof kept !== "object" || kept === null) return NOTHING;
    const { moves, undone } = kept as Record<string, unknown>;
    return { moves: steps(moves), undone: steps(undone) };
  } catch {
    return NOTHING;
  }
}

export function keepTry(challenge: string, { moves, undone }: StoredTry): void {
  try {
    if (moves.length + undone.length === 0) localStorage.removeItem(keyOf(challenge));
    else localStorage.setItem(keyOf(challenge), JSON.stringify({ moves, undone }));
  } catch {
    // Without storage, the try lasts as long as the page.
  }
}

function keyOf(challenge: string): string {
  return `highwater-try-${challenge}`;
}

function steps(value: unknown): readonly Step[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
