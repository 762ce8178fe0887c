import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { REST_MS, Resting } from "./resting";

describe("work that waits for a rest", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is done at once by who has rested, and once for all that pass quickly", () => {
    const done: number[] = [];
    const resting = new Resting();

    for (let place = 0; place < 50; place += 1) {
      resting.do(() => done.push(place));
      vi.advanceTimersByTime(REST_MS / 4);
    }
    expect(done).toEqual([0]);
    vi.advanceTimersByTime(REST_MS);
    expect(done).toEqual([0, 49]);

    vi.advanceTimersByTime(REST_MS);
    resting.do(() => done.push(50));
    expect(done).toEqual([0, 49, 50]);
  });

  it("is done early where somebody needs it, and never where it was dropped", () => {
    const done: string[] = [];
    const resting = new Resting();
    resting.do(() => done.push("first"));

    resting.do(() => done.push("needed"));
    resting.flush();
    expect(done).toEqual(["first", "needed"]);

    resting.do(() => done.push("at once again"));
    resting.do(() => done.push("dropped"));
    resting.drop();
    vi.advanceTimersByTime(REST_MS * 2);
    expect(done).toEqual(["first", "needed", "at once again"]);
  });
});
