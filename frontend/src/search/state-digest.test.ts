import { expect, it } from "vitest";

import { digestOf } from "./state-digest";

it("computes the digest that the service's tests compute, in any order of keys", () => {
  // tests/sim_engine/exploration/test_decided.py
  expect(digestOf({ b: [2 ** 63, true, null], a: { 2: "é中", 10: "x" } })).toBe("a59bd2b3");
  expect(digestOf({ a: { 10: "x", 2: "é中" }, b: [2 ** 63, true, null] })).toBe("a59bd2b3");
  expect(digestOf({ a: { 10: "x", 2: "é中" }, b: [2 ** 63, true] })).not.toBe("a59bd2b3");
});
