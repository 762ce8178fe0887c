import { describe, expect, it } from "vitest";

import { rangeOf, SMALL_CLUSTER, withPlainLineEnds } from "./scenario-text";

const TEXT = "id: a\nsteps:\n  - crash: {broker: 9}\n";

function at(line: number, column: number): string {
  const { from, to } = rangeOf(TEXT, line, column);
  return TEXT.slice(from, to);
}

describe("a place in the text", () => {
  it("is marked from its column to the end of its line", () => {
    expect(at(3, 21)).toBe("9}");
    expect(at(1, 1)).toBe("id: a");
  });

  it("is the end of its line, or of the text, where it is behind them", () => {
    expect(at(2, 99)).toBe("");
    expect(at(99, 1)).toBe("");
    expect(rangeOf(TEXT, 99, 1).from).toBe(TEXT.length);
  });
});

describe("the text", () => {
  it("has lines that end in one way", () => {
    expect(withPlainLineEnds("a\r\nb\rc\n")).toBe("a\nb\nc\n");
  });

  it("begins as YAML, as every file and the README do", () => {
    expect(SMALL_CLUSTER).toMatch(/^scenario: 1\n/);
  });
});
