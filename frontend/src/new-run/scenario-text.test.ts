import { describe, expect, it } from "vitest";

import {
  rangeOf,
  repaired,
  SMALL_CLUSTER,
  withPlainLineEnds,
  withSchemaComment,
} from "./scenario-text";

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

describe("a repair", () => {
  it("replaces the word at its place, and keeps its quotes", () => {
    expect(repaired(TEXT, 3, 5, "pause")).toBe("id: a\nsteps:\n  - pause: {broker: 9}\n");
    expect(repaired(TEXT, 3, 21, "3")).toBe("id: a\nsteps:\n  - crash: {broker: 3}\n");
    expect(repaired('{"kafak": 1}', 1, 2, "kafka")).toBe('{"kafka": 1}');
  });

  it("changes nothing where there is no word", () => {
    expect(repaired(TEXT, 3, 12, "x")).toBeNull();
    expect(repaired(TEXT, 99, 1, "x")).toBeNull();
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

describe("a saved file", () => {
  it("tells editors its schema, once, unless it is JSON", () => {
    const address = "https://h.example/scenario-1.schema.json";
    const saved = withSchemaComment(SMALL_CLUSTER, address);
    expect(saved).toBe(`# yaml-language-server: $schema=${address}\n${SMALL_CLUSTER}`);
    expect(withSchemaComment(saved, address)).toBe(saved);
    expect(withSchemaComment(' {"scenario": 1}', address)).toBe(' {"scenario": 1}');
  });
});
