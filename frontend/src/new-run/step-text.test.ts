import { describe, expect, it } from "vitest";

import { shapeOf, withSteps, type Step } from "./draft-document";
import { hasOnly, stepLine, withArguments, withStepLine } from "./step-text";

const TEXT = `\
id: mine
steps:
  - produce: {to: t-0, acks: all, values: [m2]} # the second
  - crash: {broker: 1}
  - expect:
      partition: t-0
      log: {1: "m1 m2"}
`;

function stepAt(place: number): Step {
  return shapeOf(TEXT)?.steps[place] ?? { kind: "", about: {} };
}

describe("one step of the text", () => {
  it("changes only the arguments given, and keeps order and comments", () => {
    const text = withArguments(TEXT, 0, "produce", { values: ["m3"], acks: undefined, as: "p2" });

    expect(text).toBe(
      TEXT.replace("{to: t-0, acks: all, values: [m2]}", "{to: t-0, values: [m3], as: p2}"),
    );
  });

  it("is written on one line, and read back as the same step", () => {
    expect(stepLine(TEXT, 0)).toBe("produce: {to: t-0, acks: all, values: [m2]}");
    expect(stepLine(TEXT, 2)).toBe('expect: {partition: t-0, log: {1: "m1 m2"}}');
    const note: Step = { kind: "ask", about: { en: "One line\nand another: {", answers: ["a"] } };
    const line = stepLine(withSteps(TEXT, [note]), 0);

    expect(line).not.toContain("\n");
    expect(shapeOf(withStepLine(TEXT, 1, line) ?? "")?.steps[1]).toEqual(note);
  });

  it("replaces one step by a line, and refuses what is not a mapping", () => {
    expect(withStepLine(TEXT, 1, "{crash: {broker: 2}}")).toBe(
      TEXT.replace("crash: {broker: 1}", "crash: {broker: 2}"),
    );
    expect(withStepLine(TEXT, 1, "crash: {broker: 2")).toBeNull();
    expect(withStepLine(TEXT, 1, "crash")).toBeNull();
  });

  it("has a form only if it has no other arguments", () => {
    expect(hasOnly(stepAt(1), ["broker"])).toBe(true);
    expect(hasOnly(stepAt(0), ["to", "values"])).toBe(false);
    expect(hasOnly({ kind: "crash", about: "1" }, ["broker"])).toBe(false);
  });
});
