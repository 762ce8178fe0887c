import { describe, expect, it } from "vitest";

import { listBranches, type Node } from "../session/branches";
import type { Marker } from "../trace";
import { dotsOf, markedStep, marksOf, partingOf, rowsBeside, scaleOf } from "./timeline-layout";

describe("the timeline", () => {
  it("gives each step a dot while there is room", () => {
    const scale = scaleOf(828, 10);

    expect(dotsOf(scale, 0, 10)).toHaveLength(11);
    expect([scale.xOf(0), scale.xOf(10)]).toEqual([14, 814]);
  });

  it("finds the step under a finger, and no step outside the run", () => {
    const scale = scaleOf(828, 10);

    expect([scale.stepAt(-50), scale.stepAt(14 + 80 * 3 + 30), scale.stepAt(9999)]).toEqual([0, 3, 10]);
  });

  it("keeps a run of one frame at the start", () => {
    const scale = scaleOf(800, 0);

    expect(dotsOf(scale, 0, 0)).toEqual([0]);
    expect(scale.stepAt(400)).toBe(0);
  });

  it("draws ten thousand steps with some hundred dots and marks, the ends among them", () => {
    const scale = scaleOf(1400, 9999);
    const dots = dotsOf(scale, 0, 9999);
    const marks = marksOf(scale, Array<Marker>(10_000).fill("isr"));

    expect(dots.length).toBeLessThan(200);
    expect([dots[0], dots.at(-1)]).toEqual([0, 9999]);
    expect(marks.length).toBeLessThan(100);
    expect(marks.reduce((sum, mark) => sum + mark.count, 0)).toBe(10_000);
  });

  it("lets the most telling of the marks in one place stand for them", () => {
    const marks = marksOf(scaleOf(128, 100), [null, "acknowledged", "violation", "isr"]);

    expect(marks).toMatchObject([{ marker: "violation", step: 2, count: 3 }]);
  });

  it("jumps from mark to mark and stays where there is none", () => {
    const markers: (Marker | null)[] = [null, "isr", null, "violation"];

    expect([markedStep(markers, 0, 1), markedStep(markers, 1, 1), markedStep(markers, 3, 1), markedStep(markers, 3, -1)]).toEqual([1, 3, null, 1]);
  });

  it("draws each other branch from where it leaves the one that is open", () => {
    const tree: Node[] = [
      { frame: 0, parent: null, depth: 0 },
      { frame: 1, parent: 0, depth: 1 },
      { frame: 2, parent: 1, depth: 2 },
      { frame: 3, parent: 1, depth: 2 },
      { frame: 4, parent: 3, depth: 3 },
      { frame: 5, parent: 3, depth: 3 },
    ];
    const rows = rowsBeside([0, 1, 3, 5], listBranches(tree), (frame) => tree[frame]);

    expect(rows).toEqual([
      { tip: 2, parting: 1, end: 2, first: 2 },
      { tip: 4, parting: 2, end: 3, first: 4 },
    ]);
  });

  it("says where two versions part", () => {
    expect(partingOf(["a", "b", "c"], ["a", "x", "c"])).toBe(1);
    expect(partingOf(["a", "b"], ["a"])).toBe(1);
    expect(partingOf(["a"], ["a"])).toBeNull();
  });
});
