import { describe, expect, it } from "vitest";

import { axisLabels, boundaryX, cellX, layoutOffsetAxis } from "./offset-axis";

const request = { lowest: 0, highest: 5, left: 212, width: 460, scrolledTo: null };

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

  it("shows the end of a log that is too long for the room", () => {
    const axis = layoutOffsetAxis({ ...request, width: 760, highest: 999 });

    expect(axis.last).toBe(999);
    expect(axis.cellWidth).toBeGreaterThanOrEqual(56);
    expect(cellX(axis, axis.last) + axis.cellWidth).toBeLessThanOrEqual(212 + 760);
  });

  it("begins where a person scrolled to, but never past either end", () => {
    expect(layoutOffsetAxis({ ...request, highest: 999, scrolledTo: 10 }).first).toBe(10);
    expect(layoutOffsetAxis({ ...request, highest: 999, scrolledTo: -5 }).first).toBe(0);
    expect(layoutOffsetAxis({ ...request, highest: 999, scrolledTo: 5000 }).last).toBe(999);
  });

  it("goes down to 40 pixels on a phone", () => {
    const axis = layoutOffsetAxis({ lowest: 0, highest: 30, left: 14, width: 360, scrolledTo: null });

    expect(axis.cellWidth).toBeGreaterThanOrEqual(40);
    expect(axis.last - axis.first + 1).toBe(8);
  });

  it("leaves out numbers that would touch", () => {
    const axis = layoutOffsetAxis({ lowest: 100_000, highest: 100_030, left: 14, width: 360, scrolledTo: null });

    expect(axisLabels(axis).every((offset) => offset % 2 === 0)).toBe(true);
  });
});
