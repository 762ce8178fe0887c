/** What an embed fetches where the service did not put it into the page already. */

export type Missing = "removed" | "unavailable";

/** A shared run, or the catalogue, that cannot be had. */
export class MissingError extends Error {
  constructor(readonly kind: Missing) {
    super(kind);
  }
}

/** Reads a public document. No cookies are sent: the frame may have an origin of its own. */
export async function readPublic<T>(address: string): Promise<T> {
  const answer = await fetch(address, { credentials: "omit" });
  if (!answer.ok) throw new MissingError(answer.status === 410 ? "removed" : "unavailable");
  return (await answer.json()) as T;
}
