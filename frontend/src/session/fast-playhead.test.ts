import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { GLANCE_MS, FastPlayhead } from "./fast-playhead.svelte";
import { REST_MS } from "./idle-work";

/** A screen that draws every so many milliseconds. */
function screenOf(ms: number): void {
  vi.stubGlobal("requestAnimationFrame", (then: (now: number) => void) => setTimeout(() => then(Date.now()), ms));
}

/** What is seen at each of so many places, one every so many milliseconds. */
function passing(fastPlayhead: FastPlayhead, places: number, ms: number, seen: (fastPlayhead: FastPlayhead) => boolean): boolean[] {
  return Array.from({ length: places }, () => {
    fastPlayhead.moved();
    const now = seen(fastPlayhead);
    vi.advanceTimersByTime(ms);
    return now;
  });
}

describe("a playhead that moves fast", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    screenOf(16);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("begins with the fourth place in a row and ends with a rest", () => {
    const fastPlayhead = new FastPlayhead();

    expect(passing(fastPlayhead, 6, REST_MS / 4, ({ hurried }) => hurried)).toEqual([false, false, false, true, true, true]);
    vi.advanceTimersByTime(REST_MS);
    expect(fastPlayhead.hurried).toBe(false);
  });

  it("is none where each place is read, or shown for itself", () => {
    const fastPlayhead = new FastPlayhead();
    expect(passing(fastPlayhead, 6, REST_MS, ({ hurried }) => hurried)).not.toContain(true);

    passing(fastPlayhead, 6, 1, () => false);
    fastPlayhead.rest();
    expect(fastPlayhead.hurried).toBe(false);
  });

  it("lets everything be seen every now and then", () => {
    const fastPlayhead = new FastPlayhead();
    passing(fastPlayhead, 10, 1, () => false);
    expect(fastPlayhead.hurried).toBe(true);

    for (let ms = 0; ms < GLANCE_MS && fastPlayhead.hurried; ms += 10) {
      fastPlayhead.moved();
      vi.advanceTimersByTime(10);
    }

    expect(fastPlayhead.hurried).toBe(false);
    fastPlayhead.moved();
    expect(fastPlayhead.hurried).toBe(true);
  });

  it("knows whether drawing keeps up", () => {
    const quick = new FastPlayhead();
    passing(quick, 30, 16, () => false);
    expect(quick.late).toBe(false);
    vi.advanceTimersByTime(REST_MS);

    screenOf(40);
    const slow = new FastPlayhead();
    expect(passing(slow, 20, 40, ({ late }) => late).at(-1)).toBe(true);
    vi.advanceTimersByTime(REST_MS);
    expect(slow.late).toBe(false);
  });
});
