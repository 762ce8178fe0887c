/**
 * The place of the cursor in a YAML text: the path of keys, and whether a key or a value is being
 * written.
 */

import { isMap, isPair, isScalar, isSeq, parseDocument, type Node, type Pair } from "yaml";

import type { Path } from "./draft-document";

export interface Place {
  readonly path: Path;
  /** The keys of the mapping in which a key is being written; null for a value. */
  readonly keys: readonly string[] | null;
  /** The start of the word that is being written. */
  readonly from: number;
}

/** The place of an offset. A line that is only indented belongs to the collection of that indent. */
export function placeAt(text: string, offset: number): Place | null {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const word = /[A-Za-z0-9_.$-]*$/.exec(before)?.[0] ?? "";
  const from = offset - word.length;
  // An unfinished line is not valid YAML, so a unique key replaces it.
  const whole = `${text.slice(0, from)}${
    before
      .slice(0, before.length - word.length)
      .trimEnd()
      .endsWith(":")
      ? "__here__"
      : "__here__: 0"
  }${rest(text, offset)}`;
  const tree = parseDocument(whole, { strict: false, uniqueKeys: false });
  const found = find(tree.contents as Node | null, []);
  return found === null ? null : { ...found, from };
}

/** The text after the cursor, without the rest of the current word. */
function rest(text: string, offset: number): string {
  return text.slice(offset).replace(/^[A-Za-z0-9_.$-]*(?::[ \t]?[^\n,}\]]*)?/, "");
}

function find(node: Node | null, path: Path): Omit<Place, "from"> | null {
  if (isScalar(node) && node.value === "__here__") return { path, keys: null };
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = find(item as Node, [...path, index]);
      if (found !== null) return found;
    }
  }
  if (isMap(node)) {
    for (const pair of node.items) {
      const key = nameOf(pair);
      if (key === "__here__")
        return { path, keys: node.items.map(nameOf).filter((name) => name !== "__here__") };
      const found = isPair(pair) ? find(pair.value as Node | null, [...path, key]) : null;
      if (found !== null) return found;
    }
  }
  return null;
}

function nameOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

/** The path of the key or value at an offset of a valid YAML text. */
export function pathAt(text: string, offset: number): Path | null {
  const tree = parseDocument(text, { strict: false, uniqueKeys: false });
  const within = (node: unknown): boolean => {
    const range = (node as Node | null)?.range;
    return range !== undefined && range !== null && range[0] <= offset && offset <= range[1];
  };
  const walk = (node: unknown, path: Path): Path | null => {
    if (isMap(node)) {
      for (const pair of node.items) {
        const inner = [...path, nameOf(pair)];
        if (within(pair.key)) return inner;
        if (within(pair.value)) return walk(pair.value, inner) ?? inner;
      }
    }
    if (isSeq(node)) {
      for (const [index, item] of node.items.entries())
        if (within(item)) return walk(item, [...path, index]) ?? [...path, index];
    }
    return null;
  };
  return walk(tree.contents, []);
}
