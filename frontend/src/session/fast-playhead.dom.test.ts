import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { FastPlayhead, GLANCE_MS, PARTS, type Part } from "./fast-playhead.svelte";
import { REST_MS } from "./idle-work";

/** A screen that draws every so many milliseconds. */
function screenOf(ms: number): void {
  vi.stubGlobal("requestAnimationFrame", (then: (now: number) => void) =>
    setTimeout(() => then(Date.now()), ms),
  );
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
}

/** Time for the parts to be drawn after a rest, one on each screen frame. */
const ALL_PARTS_MS = 17 * PARTS.length;

/** The number of times that each part was drawn while the playhead moved fast. */
function glances(fastPlayhead: FastPlayhead): Record<Part, number> {
  return Object.fromEntries(
    PARTS.map((part) => [part, fastPlayhead.parts[part].glances]),
  ) as Record<Part, number>;
}

function drawn(fastPlayhead: FastPlayhead): Part[] {
  return PARTS.filter((part) => !fastPlayhead.parts[part].hurried);
}

/** What is seen at each of so many places, one every so many milliseconds. */
function passing(
  fastPlayhead: FastPlayhead,
  places: number,
  ms: number,
  seen: (fastPlayhead: FastPlayhead) => boolean,
): boolean[] {
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

    expect(passing(fastPlayhead, 6, REST_MS / 4, ({ hurried }) => hurried)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    vi.advanceTimersByTime(REST_MS + ALL_PARTS_MS);
    expect(drawn(fastPlayhead)).toEqual(PARTS);
  });

  it("is none where each place is read, or shown for itself", () => {
    const fastPlayhead = new FastPlayhead();
    expect(passing(fastPlayhead, 6, REST_MS, ({ hurried }) => hurried)).not.toContain(true);

    passing(fastPlayhead, 6, 1, () => false);
    fastPlayhead.rest();
    expect(fastPlayhead.hurried).toBe(false);
  });

  it("has its words drawn once it rests, and then one part on each screen frame", () => {
    const fastPlayhead = new FastPlayhead();
    passing(fastPlayhead, 10, 1, () => false);
    expect(drawn(fastPlayhead)).toEqual([]);

    vi.advanceTimersByTime(REST_MS - 1);
    expect(drawn(fastPlayhead)).toEqual(["words"]);
    const onEachFrame = PARTS.slice(1).map(() => {
      vi.advanceTimersByTime(16);
      return drawn(fastPlayhead);
    });

    expect(onEachFrame).toEqual(PARTS.slice(1).map((_, turn) => PARTS.slice(0, turn + 2)));
  });

  it("goes on where a move interrupts the drawing of a rest", () => {
    const fastPlayhead = new FastPlayhead();
    passing(fastPlayhead, 10, 1, () => false);
    vi.advanceTimersByTime(REST_MS + 16);
    expect(drawn(fastPlayhead)).not.toEqual([]);
    expect(drawn(fastPlayhead)).not.toEqual(PARTS);

    fastPlayhead.moved();
    vi.advanceTimersByTime(16 * 2);
    expect(drawn(fastPlayhead)).toEqual([]);
    vi.advanceTimersByTime(REST_MS + ALL_PARTS_MS);
    expect(drawn(fastPlayhead)).toEqual(PARTS);
  });

  it("shows each part every now and then, never two on one screen frame", () => {
    const fastPlayhead = new FastPlayhead();
    passing(fastPlayhead, 10, 1, () => false);
    const atOnce: number[] = [];

    for (let ms = 0; ms < GLANCE_MS + ALL_PARTS_MS; ms += 16) {
      const before = glances(fastPlayhead);
      fastPlayhead.moved();
      vi.advanceTimersByTime(16);
      atOnce.push(PARTS.filter((part) => glances(fastPlayhead)[part] !== before[part]).length);
    }

    expect(glances(fastPlayhead)).toEqual({
      words: 1,
      logs: 1,
      lanes: 1,
      track: 1,
      messages: 1,
      table: 0,
    });
    expect(Math.max(...atOnce)).toBe(1);
    expect(fastPlayhead.hurried).toBe(true);
  });

  it("shows them less often where that makes the screen late", () => {
    const count = (screen: number): number => {
      screenOf(screen);
      const fastPlayhead = new FastPlayhead();
      passing(fastPlayhead, Math.round(12_000 / screen), screen, () => false);
      vi.advanceTimersByTime(REST_MS * 10);
      return glances(fastPlayhead).words;
    };

    const [quick, slow] = [count(16), count(40)];

    expect(quick).toBeGreaterThanOrEqual(10);
    expect(slow).toBeGreaterThan(0);
    expect(slow).toBeLessThanOrEqual(3);
  });

  it("knows whether drawing keeps up", () => {
    const quick = new FastPlayhead();
    passing(quick, 30, 16, () => false);
    expect(quick.late).toBe(false);
    vi.advanceTimersByTime(REST_MS * 10);

    screenOf(40);
    const slow = new FastPlayhead();
    expect(passing(slow, 20, 40, ({ late }) => late).at(-1)).toBe(true);
    vi.advanceTimersByTime(REST_MS * 10);
    expect(slow.late).toBe(false);
  });

  it("knows it from a single screen frame that is very late", () => {
    screenOf(120);
    const fastPlayhead = new FastPlayhead();

    expect(passing(fastPlayhead, 4, 60, ({ late }) => late)).toEqual([false, false, false, false]);
    expect(passing(fastPlayhead, 4, 60, ({ late }) => late).at(-1)).toBe(true);
  });
});
