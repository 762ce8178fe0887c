import { expect, it } from "vitest";

import { copyAddress } from "./action-after-fork";

it.each([
  [{ index: 3 }, "/x/a%20b?frame=3"],
  [{ index: 0, beside: "v0.11" }, "/x/a%20b?frame=0&beside=v0.11"],
  [{ index: 7, under: "4.1" }, "/x/a%20b?frame=7&under=4.1"],
])("%j is done at %s", (then, address) => {
  expect(copyAddress("a b", then)).toBe(address);
});
