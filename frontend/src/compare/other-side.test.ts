import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";

import { scenarioSide } from "./other-side";

describe("another scenario as the other side", () => {
  it("is called by its title, and the service is asked for it by its id", () => {
    const frames = [0, 1].map((number) => ({ frame: number, step: number }) as unknown as Frame);
    const other = { id: "noticed", title: { en: "Noticed", zh: "发现了" }, frames, story: [] };

    expect(scenarioSide(other, "zh").name).toBe("发现了");
    expect(scenarioSide(other, "en").question(7)).toEqual({ at: 7, scenario_id: "noticed" });
    expect(scenarioSide(other, "en").stepOf(1)).toBe(1);
  });
});
