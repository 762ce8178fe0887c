/**
 * The progress stored in this browser: finished lessons, the unfinished one, and watched claims.
 */

import { store, storedDocument } from "../service/stored";

const KEY = "highwater-progress";
const MOST_CLAIMS = 500;

export interface Progress {
  /** The ids of finished lessons. */
  readonly done: readonly string[];
  /** The unfinished lesson: its page or, if the reader acted in it, that of their run. */
  readonly left: { readonly lesson: string; readonly address: string } | null;
  /** Claims that were watched, as `article/number`. */
  readonly watched: readonly string[];
}

/** The stored progress; empty if there is none, or if storage is not available. */
export function readProgress(): Progress {
  const { done, left, watched } = storedDocument(KEY);
  const { lesson, address } = (left ?? {}) as Readonly<Record<string, unknown>>;
  const isPlace =
    typeof lesson === "string" && typeof address === "string" && /^\/(x|lessons)\//.test(address);
  return {
    done: strings(done),
    left: isPlace ? { lesson, address } : null,
    watched: strings(watched),
  };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function keep(changed: Partial<Progress>): void {
  store(KEY, JSON.stringify({ ...readProgress(), ...changed }));
}

/** Records the address of an open lesson, from which the reader can continue. */
export function keepPlace(lesson: string, address: string): void {
  keep({ left: { lesson, address } });
}

/** The end of a lesson was reached. */
export function keepDone(lesson: string): void {
  const { done, left } = readProgress();
  keep({
    done: [...new Set([...done, lesson])],
    left: left?.lesson === lesson ? null : left,
  });
}

export function keepWatched(article: number, claim: number): void {
  const watched = new Set([...readProgress().watched, `${String(article)}/${String(claim)}`]);
  keep({ watched: [...watched].slice(-MOST_CLAIMS) });
}
