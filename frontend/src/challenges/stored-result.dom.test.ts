import { beforeEach, describe, expect, it } from "vitest";

import { keepResult, readResult } from "./stored-result";

describe("the stored result of a challenge", () => {
  beforeEach(() => localStorage.clear());

  it("is kept back until a try has ended", () => {
    expect(readResult("c")).toEqual({ revealed: false, shown: false, fewest: null });
    keepResult("c", null);
    expect(readResult("c")).toEqual({ revealed: true, shown: false, fewest: null });
    expect(readResult("d").revealed).toBe(false);
  });

  it("has the fewest moves of all tries that won", () => {
    for (const won of [5, 3, null, 4]) keepResult("c", won);

    expect(readResult("c").fewest).toBe(3);
  });

  it("is empty where something else is stored", () => {
    localStorage.setItem("highwater-result-c", '{"revealed": 1, "fewest": "3"}');

    expect(readResult("c")).toEqual({ revealed: false, shown: false, fewest: null });
  });
});
