/** What this browser knows of each challenge: whether its result may be shown, whether the moves of
    the search were, and the best try. */

import { store, storedDocument } from "../service/stored";

export interface StoredResult {
  /** A try has ended, or was given up: what a search has found is not kept back any more. */
  readonly revealed: boolean;
  /** The moves of the search were shown: from then on they are not the reader's. */
  readonly shown: boolean;
  /** The fewest moves of a try that won. */
  readonly fewest: number | null;
}

/** Nothing is revealed if nothing is stored, or if storage is not available. */
export function readResult(challenge: string): StoredResult {
  const { revealed, shown, fewest } = storedDocument(keyOf(challenge));
  return {
    revealed: revealed === true,
    shown: shown === true,
    fewest: typeof fewest === "number" && fewest > 0 ? fewest : null,
  };
}

/**
 * Reveals the result; `won` is the number of moves of a try that won, null if none did; `shows` the
 * moves of the search.
 */
export function keepResult(challenge: string, won: number | null, shows = false): StoredResult {
  const { fewest, shown } = readResult(challenge);
  const known = [fewest, won].filter((moves) => moves !== null);
  const kept = {
    revealed: true,
    shown: shown || shows,
    fewest: known.length === 0 ? null : Math.min(...known),
  };
  store(keyOf(challenge), JSON.stringify(kept));
  return kept;
}

function keyOf(challenge: string): string {
  return `highwater-result-${challenge}`;
}
