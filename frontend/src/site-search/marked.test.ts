import { describe, expect, it } from "vitest";

import { markedParts } from "./marked";

const found = (text: string, ...marks: string[]): string[] =>
  markedParts(text, marks).flatMap((part) => (part.found ? [part.text] : []));

describe("what a search has found in a text", () => {
  it.each([
    ["Not enough replicas", ["not enough replicas"], ["Not enough replicas"]],
    ["NOT_ENOUGH_REPLICAS", ["not enough replicas"], ["NOT_ENOUGH_REPLICAS"]],
    ["replica.high.watermark.checkpoint", ["high watermark"], ["high.watermark"]],
    ["两轮拉取才能推进高水位", ["HW", "高水位"], ["高水位"]],
    ["A follower truncates", ["truncate"], ["truncates"]],
    ["The HW of a showy row", ["hw"], ["HW"]],
    ["acks=1 (a+b)", ["a+b", "("], ["a+b"]],
    ["nothing", ["", " "], []],
  ])("is marked in %s", (text, marks, expected) => {
    expect(found(text, ...marks)).toEqual(expected);
  });

  it("keeps every letter of the text", () => {
    const text = "High watermark: 高水位（HW）.";

    expect(
      markedParts(text, ["高水位", "hw"])
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });
});
