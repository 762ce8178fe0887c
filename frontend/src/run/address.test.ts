import { describe, expect, it } from "vitest";

import { levelOf, sessionAddress } from "./address";

describe("the level in an address", () => {
  it.each([
    ["", "story"],
    ["level=message", "message"],
    ["level=story", "story"],
    ["level=x", "story"],
  ])("%j opens at %s", (search, level) => {
    expect(levelOf(new URLSearchParams(search))).toBe(level);
  });

  it("is there only for messages", () => {
    expect(sessionAddress("a b", 4)).toBe("/x/a%20b?frame=4");
    expect(sessionAddress("a b", 4, "message")).toBe("/x/a%20b?frame=4&level=message");
    expect(sessionAddress("a b", null, "message")).toBe("/x/a%20b");
  });
});
