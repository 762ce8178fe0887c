import { describe, expect, it } from "vitest";

import {
  axisLabels,
  boundaryX,
  cellX,
  foldsInView,
  isInView,
  layoutOffsetAxis,
} from "./offset-axis";

const request = {
  lowest: 0,
  highest: 5,
  left: 212,
  width: 460,
  wanted: [],
  opened: [],
  scrolledTo: null,
};

describe("the offset axis", () => {
  it("gives every offset the same distance to the next", () => {
    const axis = layoutOffsetAxis(request);

    expect(cellX(axis, 3) - cellX(axis, 2)).toBe(axis.pitch);
    expect(cellX(axis, 1) - cellX(axis, 0)).toBe(axis.pitch);
  });

  it("puts a boundary in the middle of the gap before its cell", () => {
    const axis = layoutOffsetAxis(request);

    expect(cellX(axis, 3) - boundaryX(axis, 3)).toBe(2);
    expect(boundaryX(axis, 3) - (cellX(axis, 2) + axis.cellWidth)).toBe(2);
  });

  it("makes cells as wide as there is room, and no wider than 84", () => {
    expect(layoutOffsetAxis(request).cellWidth).toBe(73);
    expect(layoutOffsetAxis({ ...request, highest: 1 }).cellWidth).toBe(84);
  });

  it("folds the unimportant part of a log that is too long, and shows its end", () => {
    const axis = layoutOffsetAxis({ ...request, width: 760, highest: 999, wanted: [999] });

    expect(axis.folds).toEqual([{ from: 0, to: 988 }]);
    expect(isInView(axis, 999)).toBe(true);
    expect(axis.cellWidth).toBeGreaterThanOrEqual(56);
    expect(cellX(axis, 999) + axis.cellWidth).toBeLessThanOrEqual(212 + 760);
  });

  it("gives a fold one position, and the offsets inside it the middle of that position", () => {
    const axis = layoutOffsetAxis({ ...request, highest: 99, wanted: [20, 80] });
    const [, middle] = axis.folds;
    if (middle === undefined) throw new Error("nothing is folded in the middle");

    expect(cellX(axis, middle.to + 1) - cellX(axis, middle.from)).toBe(axis.pitch);
    expect(boundaryX(axis, middle.from + 5) - boundaryX(axis, middle.from)).toBe(axis.pitch / 2);
    expect(isInView(axis, middle.from + 5)).toBe(false);
    expect(axisLabels(axis).some((offset) => offset >= middle.from && offset <= middle.to)).toBe(
      false,
    );
  });

  it("begins where a person scrolled to among opened folds, but never past either end", () => {
    const opened = [{ from: 0, to: 999 }];

    expect(layoutOffsetAxis({ ...request, highest: 999, opened, scrolledTo: 10 }).first).toBe(10);
    expect(layoutOffsetAxis({ ...request, highest: 999, opened, scrolledTo: -5 }).first).toBe(0);
    expect(layoutOffsetAxis({ ...request, highest: 999, opened, scrolledTo: 5000 }).last).toBe(999);
  });

  it("shows the most important part of opened folds until the user scrolls", () => {
    const axis = layoutOffsetAxis({
      ...request,
      highest: 999,
      wanted: [400],
      opened: [{ from: 300, to: 999 }],
    });

    expect(isInView(axis, 400)).toBe(true);
    expect(foldsInView(axis)).toEqual([]);
  });

  it("goes down to 40 pixels on a phone", () => {
    const axis = layoutOffsetAxis({ ...request, highest: 30, left: 14, width: 360 });

    expect(axis.cellWidth).toBeGreaterThanOrEqual(40);
    expect(axis.shownPlaces).toBe(8);
  });

  it("leaves out numbers that would touch", () => {
    const axis = layoutOffsetAxis({
      ...request,
      lowest: 100_000,
      highest: 100_030,
      left: 14,
      width: 360,
    });

    expect(axisLabels(axis).every((offset) => offset % 2 === 0)).toBe(true);
  });
});
