import { describe, expect, it } from "vitest";

import { marksWithRoom, placeLines, widthOfName, type Line } from "./timeline-layout";

function line(from: number, to: number, parent: number | null = null, labelWidth = 0): Line {
  return { from, to, parent, labelWidth };
}

describe("the rows of a timeline", () => {
  it("spread their steps from one end to the other", () => {
    const placed = placeLines([line(0, 4)], 428);

    expect(placed.lines[0]?.dots).toEqual([0, 1, 2, 3, 4]);
    expect([placed.xOf(0), placed.xOf(4)]).toEqual([14, 414]);
    expect([placed.stepAt(-9), placed.stepAt(163), placed.stepAt(900)]).toEqual([0, 1, 4]);
  });

  it("show one step at the start", () => {
    const placed = placeLines([line(0, 0)], 800);

    expect(placed.lines[0]?.dots).toEqual([0]);
    expect(placed.stepAt(500)).toBe(0);
  });

  it("leave dots out when there are many steps, never the last one, and still find every step", () => {
    const placed = placeLines([line(0, 9_999)], 800);
    const dots = placed.lines[0]?.dots ?? [];

    expect(dots.length).toBeLessThan(100);
    expect(dots[dots.length - 1]).toBe(9_999);
    expect(placed.stepAt(placed.xOf(4_321))).toBe(4_321);
  });

  it("put the same step of every row at the same place, and join a branch where it parts", () => {
    const placed = placeLines([line(0, 10), line(4, 8, 0)], 528);

    expect(placed.lines[1]?.dots).toEqual([4, 5, 6, 7, 8]);
    expect(placed.lines[1]?.curve?.startsWith(`M${String(placed.xOf(3))} ${String(placed.lines[0]?.y)}`)).toBe(true);
    expect(placed.lineAt(placed.xOf(6), placed.lines[1]?.y ?? 0)).toBe(1);
    expect(placed.lineAt(placed.xOf(1), placed.lines[1]?.y ?? 0)).toBeNull();
  });

  it("write a row's name beside its end, or below it where there is no room", () => {
    const [, beside, below] = placeLines([line(0, 10), line(4, 6, 0, 100), line(4, 10, 0, 100)], 528).lines;

    expect(beside?.label.y).toBeLessThan(beside?.y ?? 0);
    expect(below?.label.y).toBeGreaterThan(below?.y ?? 0);
    expect((below?.label.x ?? 0) + 100).toBeLessThanOrEqual(528);
  });
});

describe("marks", () => {
  it("of which two have no room give it to the more telling one", () => {
    const shown = marksWithRoom(
      [
        { step: 1, kind: "acknowledged" },
        { step: 2, kind: "violation" },
        { step: 3, kind: "isr" },
        { step: 30, kind: "isr" },
      ],
      (step) => step * 2,
    );

    expect(shown).toEqual([
      { step: 2, kind: "violation" },
      { step: 30, kind: "isr" },
    ]);
  });
});

describe("a name's width", () => {
  it("counts Chinese characters as wide, and ends somewhere", () => {
    expect(widthOfName("崩溃")).toBeGreaterThan(widthOfName("ab"));
    expect(widthOfName("a".repeat(500))).toBe(360);
  });
});
