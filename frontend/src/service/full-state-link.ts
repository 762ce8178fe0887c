/**
 * The fragment of a full-state link: a run inside an address. Browsers do not send fragments.
 *
 * `z=1.` and raw deflate of compact JSON in UTF-8, in base64url without padding.
 * tests/full_state_links.json has valid and damaged ones. A version of the format never changes; a
 * new format gets a new number.
 */

const FRAGMENT = /^z=(\d{1,4})\.([A-Za-z0-9_-]*)$/;
const VERSION = "1";
/** The service's limit; a valid link is never longer. */
const MOST_BYTES = 256 * 1024;

/** A fragment that cannot be read. */
export class FullStateLinkError extends Error {
  constructor(readonly kind: "damaged" | "newer") {
    super(kind);
  }
}

export function isFullStateLink(hash: string): boolean {
  return hash.startsWith("#z=");
}

/** Encodes a run as a fragment, without the `#`. */
export async function packed(run: unknown): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify(run)),
    new CompressionStream("deflate-raw"),
    Infinity,
  );
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `z=${VERSION}.${btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** Decodes the run of a fragment, with or without the `#`. Throws a `FullStateLinkError`. */
export async function unpacked(fragment: string): Promise<Readonly<Record<string, unknown>>> {
  const found = FRAGMENT.exec(fragment.replace(/^#/, ""));
  if (found === null) throw new FullStateLinkError("damaged");
  if (found[1] !== VERSION) throw new FullStateLinkError("newer");
  let run: unknown;
  try {
    const binary = atob((found[2] ?? "").replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const written = await through(bytes, new DecompressionStream("deflate-raw"), MOST_BYTES);
    run = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(written));
  } catch {
    throw new FullStateLinkError("damaged");
  }
  if (typeof run !== "object" || run === null || Array.isArray(run))
    throw new FullStateLinkError("damaged");
  return run as Readonly<Record<string, unknown>>;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}
