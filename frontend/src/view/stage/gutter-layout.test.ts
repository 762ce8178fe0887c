import { describe, expect, it } from "vitest";

import { packedLines } from "./gutter-layout";

const lines = [
  { text: "paused", tone: "warn" as const },
  { text: "caught up 2 s ago", tone: "plain" as const },
  { text: "isolated from 1", tone: "bad" as const },
];

describe("the details of a broker", () => {
  it("share a line if it holds them, in the tone of the worst", () => {
    expect(packedLines(lines, 1000)).toEqual([{ text: "paused · caught up 2 s ago · isolated from 1", tone: "bad" }]);
    expect(packedLines(lines.slice(0, 2), 1000)).toEqual([{ text: "paused · caught up 2 s ago", tone: "warn" }]);
  });

  it("go on to the next line otherwise, none shortened", () => {
    expect(packedLines(lines, 160).map(({ text }) => text)).toEqual(["paused · caught up 2 s ago", "isolated from 1"]);
    expect(packedLines(lines, 10)).toEqual(lines);
    expect(packedLines([], 160)).toEqual([]);
  });
});
