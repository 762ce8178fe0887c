import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { REST_MS, IdleWork } from "./idle-work";

describe("work that waits for a rest", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs immediately after a pause, and once for many quick changes", () => {
    const done: number[] = [];
    const idleWork = new IdleWork();

    for (let place = 0; place < 50; place += 1) {
      idleWork.do(() => done.push(place));
      vi.advanceTimersByTime(REST_MS / 4);
    }
    expect(done).toEqual([0]);
    vi.advanceTimersByTime(REST_MS);
    expect(done).toEqual([0, 49]);

    vi.advanceTimersByTime(REST_MS);
    idleWork.do(() => done.push(50));
    expect(done).toEqual([0, 49, 50]);
  });

  it("runs early if its result is needed, and never if it was cancelled", () => {
    const done: string[] = [];
    const idleWork = new IdleWork();
    idleWork.do(() => done.push("first"));

    idleWork.do(() => done.push("needed"));
    idleWork.flush();
    expect(done).toEqual(["first", "needed"]);

    idleWork.do(() => done.push("at once again"));
    idleWork.do(() => done.push("dropped"));
    idleWork.drop();
    vi.advanceTimersByTime(REST_MS * 2);
    expect(done).toEqual(["first", "needed", "at once again"]);
  });
});
