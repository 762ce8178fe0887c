/** The data that an embed fetches if the page does not contain it. */

export type Missing = "removed" | "unavailable" | "otherRelease";

/** A shared run or the catalogue could not be loaded. */
export class MissingError extends Error {
  constructor(readonly kind: Missing) {
    super(kind);
  }
}

/** Reads a public document. No cookies are sent, because the frame may have an opaque origin. */
export async function readPublic<T>(address: string): Promise<T> {
  const response = await fetch(address, { credentials: "omit" });
  if (!response.ok) throw new MissingError(response.status === 410 ? "removed" : "unavailable");
  return (await response.json()) as T;
}
