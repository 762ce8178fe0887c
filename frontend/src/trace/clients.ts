/** The clients of a frame. */

import type { Frame } from "./frame";

/** The names that producers and consumers have by now; they are the author's and may be any word. */
export function clientNames({ state: { clients } }: Frame): ReadonlySet<string> {
  return new Set([
    ...Object.keys(clients.consumers),
    ...clients.produced.map((record) => record.as),
    ...clients.consumed.map((record) => record.as),
  ]);
}
