/** What stays as it was keeps its identity: who draws it sees by that alone that nothing is to be drawn. */

/** The new value, in which every part that equals what stood in its place before is that former part. */
export function kept<T>(before: unknown, now: T): T {
  if (Object.is(before, now)) return now;
  if (Array.isArray(now)) return (Array.isArray(before) ? keptArray(before, now) : now) as T;
  return isPlain(now) && isPlain(before) ? (keptObject(before, now) as T) : now;
}

function keptArray(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] {
  let same = before.length === now.length;
  const parts = now.map((value, index) => {
    const part = kept(before[index], value);
    same &&= Object.is(part, before[index]);
    return part;
  });
  return same ? before : parts;
}

type Plain = Readonly<Record<string, unknown>>;

function keptObject(before: Plain, now: Plain): Plain {
  const names = Object.keys(now);
  let same = names.length === Object.keys(before).length;
  const parts: Record<string, unknown> = {};
  for (const name of names) {
    const part = kept(before[name], now[name]);
    same &&= Object.is(part, before[name]) && name in before;
    parts[name] = part;
  }
  return same ? before : parts;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Remembers what it gave last, and keeps of it what is still so. */
export function keeper<T>(): (now: T) => T {
  let last: T | undefined;
  return (now) => (last = kept(last, now));
}
