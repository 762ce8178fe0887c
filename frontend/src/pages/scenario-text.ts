/** A pasted scenario: read as JSON here, judged by the service. */

export interface TextProblem {
  /** A JSON pointer; empty for the whole document. */
  readonly where: string;
  readonly message: string;
}

export type Parsed = { readonly ok: true; readonly document: unknown } | { readonly ok: false; readonly reason: string };

export function parseScenario(text: string): Parsed {
  try {
    return { ok: true, document: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Where a pointer's value begins in JSON text, as a range to select; null where the text has no
 * such place (a missing key is pointed at by its parent's pointer, so that is tried next).
 */
export function rangeOf(text: string, pointer: string): { readonly from: number; readonly to: number } | null {
  const parts = pointer.split("/").slice(1).map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  for (let length = parts.length; length > 0; length -= 1) {
    const found = locate(text, parts.slice(0, length));
    if (found !== null) return found;
  }
  return null;
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

function locate(text: string, parts: readonly string[]): { from: number; to: number } | null {
  let at = 0;
  const skip = (): void => {
    while (/[\s,:]/.test(text[at] ?? "")) at += 1;
  };
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };

  /** Passes over the value at `at`, or stops at the start of the one looked for. */
  const walk = (depth: number): { from: number; to: number } | null => {
    skip();
    const from = at;
    const isTarget = depth === parts.length;
    const open = text[at];
    if (open === "{" || open === "[") {
      at += 1;
      for (let index = 0; ; index += 1) {
        skip();
        if (at >= text.length) break;
        if (text[at] === "}" || text[at] === "]") {
          at += 1;
          break;
        }
        const name = open === "{" ? nameOf(take(STRING)) : String(index);
        const found = walk(!isTarget && name === parts[depth] ? depth + 1 : NEVER);
        if (found !== null) return found;
        if (at === from) break;
      }
    } else if (open === '"') take(STRING);
    else if (take(SCALAR) === "") at += 1;
    return isTarget ? { from, to: at } : null;
  };
  return walk(0);
}

/** A depth at which nothing is looked for. */
const NEVER = Number.POSITIVE_INFINITY;

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

export const SMALL_CLUSTER = {
  scenario: 1,
  id: "my-run",
  title: "My run",
  kafka: "3.9",
  brokers: [1, 2, 3],
  topics: [{ name: "t", partitions: [{ replicas: [1, 2, 3] }] }],
  configs: { "min.insync.replicas": 2 },
  steps: [{ produce: { to: "t-0", values: ["m1"], as: "p1", acks: "all" } }, { settle: {} }],
} as const;
