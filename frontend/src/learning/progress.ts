/**
 * The progress stored in this browser: finished lessons, the unfinished one, and watched claims.
 */

const KEY = "highwater-progress";
const MOST_CLAIMS = 500;

export interface Progress {
  /** The ids of finished lessons. */
  readonly done: readonly string[];
  /** The run of an unfinished lesson. */
  readonly left: { readonly lesson: string; readonly address: string } | null;
  /** Claims that were watched, as `article/number`. */
  readonly watched: readonly string[];
}

const NONE: Progress = { done: [], left: null, watched: [] };

/** The stored progress; empty if there is none, or if storage is not available. */
export function readProgress(): Progress {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null) return NONE;
    const { done, left, watched } = kept as Record<string, unknown>;
    const place = left as { lesson?: unknown; address?: unknown } | null | undefined;
    const isPlace =
      typeof place?.lesson === "string" &&
      typeof place.address === "string" &&
      place.address.startsWith("/x/");
    return {
      done: strings(done),
      left: isPlace ? { lesson: String(place.lesson), address: String(place.address) } : null,
      watched: strings(watched),
    };
  } catch {
    return NONE;
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function keep(progress: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // The page works without stored progress.
  }
}

/** Records the address of an open lesson, from which the reader can continue. */
export function keepPlace(lesson: string, address: string): void {
  keep({ ...readProgress(), left: { lesson, address } });
}

/** The end of a lesson was reached. */
export function keepDone(lesson: string): void {
  const before = readProgress();
  keep({
    ...before,
    done: [...new Set([...before.done, lesson])],
    left: before.left?.lesson === lesson ? null : before.left,
  });
}

export function keepWatched(article: number, claim: number): void {
  const before = readProgress();
  keep({
    ...before,
    watched: [...new Set([...before.watched, `${String(article)}/${String(claim)}`])].slice(
      -MOST_CLAIMS,
    ),
  });
}
