import { describe, expect, it } from "vitest";

import { parseScenario, rangeOf } from "./scenario-text";

const TEXT = `{
  "id": "a \\"b\\"",
  "steps": [ {"crash": {"broker": 9}}, {"settle": {}} ],
  "a/b": -1.5
}`;

function at(pointer: string): string | null {
  const range = rangeOf(TEXT, pointer);
  return range === null ? null : TEXT.slice(range.from, range.to);
}

describe("a pointer into the text", () => {
  it.each([
    ["/steps/0/crash/broker", "9"],
    ["/steps/1", '{"settle": {}}'],
    ["/id", '"a \\"b\\""'],
    ["/a~1b", "-1.5"],
  ])("%s", (pointer, found) => {
    expect(at(pointer)).toBe(found);
  });

  it("a missing key is shown by what lacks it", () => {
    expect(at("/steps/0/crash/why")).toBe('{"broker": 9}');
  });

  it("what is nowhere has no place", () => {
    expect(rangeOf(TEXT, "/brokers")).toBeNull();
    expect(rangeOf(TEXT, "")).toBeNull();
    expect(rangeOf('{"a": [1, ', "/a/5")).toBeTruthy();
    expect(rangeOf("not json", "/a/5")).toBeNull();
  });
});

describe("pasted text", () => {
  it("says why it is not JSON", () => {
    expect(parseScenario("{")).toMatchObject({ ok: false });
    expect(parseScenario('{"a": 1}')).toEqual({ ok: true, document: { a: 1 } });
  });
});
