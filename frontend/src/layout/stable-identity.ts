/**
 * Unchanged values keep their identity, so the view can detect by identity that nothing must be
 * redrawn.
 */

/** The new value, in which every part equal to its predecessor is replaced by the predecessor. */
export function keepIdentity<T>(before: unknown, now: T): T {
  if (Object.is(before, now)) return now;
  if (Array.isArray(now))
    return (Array.isArray(before) ? keepArrayIdentity(before, now) : now) as T;
  return isPlain(now) && isPlain(before) ? (keepObjectIdentity(before, now) as T) : now;
}

function keepArrayIdentity(
  before: readonly unknown[],
  now: readonly unknown[],
): readonly unknown[] {
  let same = before.length === now.length;
  const parts = now.map((value, index) => {
    const part = keepIdentity(before[index], value);
    same &&= Object.is(part, before[index]);
    return part;
  });
  return same ? before : parts;
}

type Plain = Readonly<Record<string, unknown>>;

function keepObjectIdentity(before: Plain, now: Plain): Plain {
  const names = Object.keys(now);
  let same = names.length === Object.keys(before).length;
  const parts: Record<string, unknown> = {};
  for (const name of names) {
    const part = keepIdentity(before[name], now[name]);
    same &&= Object.is(part, before[name]) && name in before;
    parts[name] = part;
  }
  return same ? before : parts;
}

function isPlain(value: unknown): value is Plain {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** Remembers its last result, and reuses its unchanged parts. */
export function identityKeeper<T>(): (now: T) => T {
  let last: T | undefined;
  return (now) => (last = keepIdentity(last, now));
}
