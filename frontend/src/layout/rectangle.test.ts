import { describe, expect, it } from "vitest";

import { hatchPath } from "./rectangle";

describe("a hatch", () => {
  it.each([true, false])("stays two pixels inside its box (rising: %s)", (rising) => {
    const numbers = [
      ...hatchPath({ x: 10, y: 20, width: 66, height: 38 }, 7, rising).matchAll(
        /[ML](-?[\d.]+) (-?[\d.]+)/g,
      ),
    ];

    expect(numbers.length).toBeGreaterThan(10);
    for (const [, x, y] of numbers) {
      expect(Number(x)).toBeGreaterThanOrEqual(12);
      expect(Number(x)).toBeLessThanOrEqual(74);
      expect(Number(y)).toBeGreaterThanOrEqual(22);
      expect(Number(y)).toBeLessThanOrEqual(56);
    }
  });
});
