import { describe, expect, it } from "vitest";

import { identityKeeper, keepIdentity } from "./stable-identity";

describe("what is kept", () => {
  const before = {
    rows: [
      { at: 1, cells: [{ x: 1 }, { x: 2 }] },
      { at: 2, cells: [] },
    ],
    cut: null,
  };

  it("is all of it where nothing has changed", () => {
    expect(keepIdentity(before, structuredClone(before))).toBe(before);
  });

  it("is every part but those on the way to a change", () => {
    const now = structuredClone(before);
    now.rows[0]?.cells.push({ x: 3 });

    const result = keepIdentity(before, now);

    expect(result).toEqual(now);
    expect(result.rows[1]).toBe(before.rows[1]);
    expect(result.rows[0]?.cells[1]).toBe(before.rows[0]?.cells[1]);
    expect(result.rows[0]).not.toBe(before.rows[0]);
  });

  it.each([
    [[1, 2], [1]],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [[1], { 0: 1 }],
    [null, {}],
    [new Set([1]), new Set([1])],
  ])("is never %j in place of %j", (one, other) => {
    expect(keepIdentity(one, other)).toStrictEqual(other);
    expect(keepIdentity(other, one)).toStrictEqual(one);
  });

  it("is compared with the last given value", () => {
    const keep = identityKeeper<readonly number[]>();
    const first = keep([1, 2]);

    expect(keep([1, 2])).toBe(first);
    expect(keep([1, 3])).toEqual([1, 3]);
    expect(keep([1, 2])).not.toBe(first);
  });
});
