/** What this browser stores between visits. */

/** Null if nothing is stored, or if storage is not available. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** A stored document; without fields if there is none, or if it cannot be read. */
export function storedDocument(key: string): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(stored(key) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Null removes it. False if storage is unavailable or full: the page then works without it. */
export function store(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
