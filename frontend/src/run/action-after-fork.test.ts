import { expect, it } from "vitest";

import { copyAddress } from "./action-after-fork";

it.each([
  [{ index: 3, level: "story" }, "/x/a%20b?frame=3"],
  [{ index: 3, level: "message" }, "/x/a%20b?frame=3&level=message"],
  [{ index: 0, level: "story", beside: "v0.11" }, "/x/a%20b?frame=0&beside=v0.11"],
  [{ index: 7, level: "message", under: "4.1" }, "/x/a%20b?frame=7&level=message&under=4.1"],
] as const)("%j is done at %s", (then, address) => {
  expect(copyAddress("a b", then)).toBe(address);
});
