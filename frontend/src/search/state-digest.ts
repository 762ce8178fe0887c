/** A short digest of a JSON document, by which a state is known again. */

/** FNV-1a of the document with sorted keys: eight hexadecimal digits. */
export function digestOf(document: unknown): string {
  let hashed = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(textOf(document)))
    hashed = Math.imul(hashed ^ byte, 0x01000193);
  return (hashed >>> 0).toString(16).padStart(8, "0");
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${textOf(one)}`).join(",")}}`;
}
