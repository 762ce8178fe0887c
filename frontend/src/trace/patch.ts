/** JSON Patch (RFC 6902) on immutable documents: unchanged parts are shared, not copied. */

import type { PatchOperation } from "./frame";

export class PatchError extends Error {}

/** The document after all operations. Throws PatchError, and changes nothing, when one does not fit. */
export function applyPatch<T>(document: T, patch: readonly PatchOperation[]): T {
  return patch.reduce<unknown>(applyOperation, document) as T;
}

function applyOperation(document: unknown, operation: PatchOperation): unknown {
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case "add":
      return add(document, path, operation.value);
    case "replace":
      return replace(document, path, operation.value);
    case "remove":
      return remove(document, path);
  }
}

function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new PatchError(`not a JSON Pointer: ${pointer}`);
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

type Container = unknown[] | Record<string, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function ownValue(value: Record<string, unknown>, token: string): unknown {
  if (!Object.hasOwn(value, token)) throw new PatchError(`nothing at ${token}`);
  return value[token];
}

function arrayIndex(array: readonly unknown[], token: string, last: number): number {
  const index = token === "-" ? array.length : Number(token);
  if (!/^(-|0|[1-9]\d*)$/.test(token) || index > last) throw new PatchError(`no index ${token}`);
  return index;
}

/** Rebuilds the containers along `path` and lets `change` alter the last one, which is already a copy. */
function along(
  document: unknown,
  path: readonly string[],
  change: (parent: Container, token: string) => void,
): unknown {
  const token = path[0];
  if (token === undefined || !isContainer(document)) throw new PatchError("the path leads nowhere");
  const copy: Container = Array.isArray(document) ? [...document] : { ...document };
  if (path.length === 1) {
    change(copy, token);
  } else if (Array.isArray(copy)) {
    const index = arrayIndex(copy, token, copy.length - 1);
    copy[index] = along(copy[index], path.slice(1), change);
  } else {
    copy[token] = along(ownValue(copy, token), path.slice(1), change);
  }
  return copy;
}

function add(document: unknown, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  return along(document, path, (parent, token) => {
    if (Array.isArray(parent)) parent.splice(arrayIndex(parent, token, parent.length), 0, value);
    else parent[token] = value;
  });
}

function replace(document: unknown, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  return along(document, path, (parent, token) => {
    if (Array.isArray(parent)) {
      parent[arrayIndex(parent, token, parent.length - 1)] = value;
    } else {
      ownValue(parent, token);
      parent[token] = value;
    }
  });
}

function remove(document: unknown, path: readonly string[]): unknown {
  return along(document, path, (parent, token) => {
    if (Array.isArray(parent)) {
      parent.splice(arrayIndex(parent, token, parent.length - 1), 1);
    } else {
      ownValue(parent, token);
      Reflect.deleteProperty(parent, token);
    }
  });
}
