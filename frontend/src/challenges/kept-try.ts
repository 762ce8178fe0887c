/** The try of each challenge, kept in this browser: a reload goes on from it. */

import type { Step } from "../trace";

export interface KeptTry {
  readonly moves: readonly Step[];
  /** Moves that were taken back, the next to be redone last. */
  readonly undone: readonly Step[];
}

const NOTHING: KeptTry = { moves: [], undone: [] };

/** Nothing where nothing is kept, or where storage is forbidden. */
export function readTry(challenge: string): KeptTry {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(challenge)) ?? "null");
    if (typeof kept !== "object" || kept === null) return NOTHING;
    const { moves, undone } = kept as Record<string, unknown>;
    return { moves: steps(moves), undone: steps(undone) };
  } catch {
    return NOTHING;
  }
}

export function keepTry(challenge: string, { moves, undone }: KeptTry): void {
  try {
    if (moves.length + undone.length === 0) localStorage.removeItem(keyOf(challenge));
    else localStorage.setItem(keyOf(challenge), JSON.stringify({ moves, undone }));
  } catch {
    // The try lasts as long as the page.
  }
}

function keyOf(challenge: string): string {
  return `highwater-try-${challenge}`;
}

function steps(value: unknown): readonly Step[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
