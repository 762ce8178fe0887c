import { describe, expect, it } from "vitest";

import { rangesIn } from "./ranges";

const VERSIONS = ["0.10", "0.11", "1.1", "2.0", "2.1"];

describe("releases in words", () => {
  it.each([
    [[0, 0, 0, 0, 0], "in no version"],
    [[1, 1, 1, 1, 1], "in every version"],
    [[1, 1, 0, 0, 0], "up to 0.11"],
    [[0, 0, 1, 1, 1], "from 1.1"],
    [[0, 1, 1, 0, 0], "0.11 to 1.1"],
    [[1, 0, 0, 1, 1], "0.10, from 2.0"],
    [[0, 0, 0, 0, 1], "2.1"],
  ])("%j is %s", (marked, words) => {
    expect(rangesIn(VERSIONS, marked.map(Boolean), "en")).toBe(words);
  });

  it("is shown in Chinese", () => {
    expect(rangesIn(VERSIONS, [true, true, false, false, false], "zh")).toBe("0.11 及以前");
  });
});
