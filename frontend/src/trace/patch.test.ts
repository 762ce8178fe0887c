import { describe, expect, it } from "vitest";

import { applyPatch, PatchError } from "./patch";

describe("a JSON patch", () => {
  it("adds, replaces and removes", () => {
    const patched = applyPatch<unknown>({ a: [1, 2], b: { c: 1 } }, [
      { op: "add", path: "/a/1", value: 9 },
      { op: "add", path: "/a/-", value: 3 },
      { op: "replace", path: "/b/c", value: null },
      { op: "remove", path: "/a/0" },
    ]);

    expect(patched).toEqual({ a: [9, 2, 3], b: { c: null } });
  });

  it("reads escaped names", () => {
    expect(
      applyPatch<unknown>({ "a/b": { "~": 1 } }, [{ op: "replace", path: "/a~1b/~0", value: 2 }]),
    ).toEqual({ "a/b": { "~": 2 } });
  });

  it("leaves the document as it was, and shares what it does not touch", () => {
    const document = { a: { x: 1 }, b: { y: 1 } };
    const patched = applyPatch(document, [{ op: "replace", path: "/a/x", value: 2 }]);

    expect(document.a.x).toBe(1);
    expect(patched.b).toBe(document.b);
  });

  it.each([
    [{ op: "remove", path: "/z" }],
    [{ op: "replace", path: "/a/5", value: 1 }],
    [{ op: "add", path: "/a/01", value: 1 }],
    [{ op: "add", path: "a", value: 1 }],
  ] as const)("refuses what does not fit: %o", (operation) => {
    expect(() => applyPatch<unknown>({ a: [1] }, [operation])).toThrow(PatchError);
  });
});
