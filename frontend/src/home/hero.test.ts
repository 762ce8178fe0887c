import { describe, expect, it } from "vitest";

import type { Catalogue, Frame } from "../trace";
import { readingMs } from "../trace/playback-times";
import type { Stop, StopMark } from "../trace/story";
import { momentFrom, restMs, ruleBehind, saidOf, toldOf } from "./hero";

const crash = { kind: "BrokerCrashed" };
const events: Readonly<Record<number, object>> = {
  0: crash,
  4: { kind: "LogTruncated", variant: null, rule: "HW-TRUNCATION", numbers: {}, subject: {} },
  5: { kind: "MessageDropped" },
  8: crash,
};
const marks: Readonly<Record<number, readonly StopMark[]>> = {
  0: ["fault"],
  1: ["truncation"],
  3: ["acknowledgement"],
  4: ["truncation"],
  5: ["fault"],
  6: ["at_risk"],
  8: ["fault"],
  9: ["loss"],
};

/** Ten steps of one frame each: the record is written in step 2, acknowledged in 3, lost in 9; a broker crashes in 8. */
const frames = Array.from({ length: 10 }, (_, frame) => ({
  frame,
  step: frame,
  events: events[frame] === undefined ? [] : [events[frame]],
  changes: [],
  state: { clients: { produced: [{ value: "m2", fate: "lost", frame: 2, acked_frame: 3 }] } },
})) as unknown as Frame[];
const stops: Stop[] = frames.map((_, at) => ({
  step: at,
  from: at,
  to: at,
  telling: at,
  title: null,
  summary: { en: `Summary ${String(at)}.` },
  marks: marks[at] ?? [],
}));
const catalogue = {
  languages: { en: { events: { LogTruncated: { text: "It truncates.", formula: null } } } },
} as unknown as Catalogue;

describe("the story of the front page", () => {
  const told = toldOf(frames, stops);

  it("begins with the record and is held where its fate turns", () => {
    expect(told?.map((stop) => stop.step)).toEqual([2, 3, 4, 6, 8, 9]);
  });

  it("tells a crash, but not a lost response", () => {
    const steps = told?.map((stop) => stop.step);

    expect(steps).toContain(8);
    expect(steps).not.toContain(5);
  });

  it("tells once a record that is acknowledged in the step in which it is written", () => {
    const atOnce = frames.map((frame) => ({
      ...frame,
      state: { clients: { produced: [{ fate: "lost", frame: 3, acked_frame: 3 }] } },
    })) as unknown as Frame[];

    expect(toldOf(atOnce, stops)?.map((stop) => stop.step)).toEqual([3, 4, 6, 8, 9]);
  });

  it("is stepped through by the moments, from wherever it plays", () => {
    if (told === null) throw new Error("nothing is told");
    const from = (index: number, direction: 1 | -1) => momentFrom(told, index, direction)?.step;

    expect([2, 3, 4, 5, 6, 8].map((index) => from(index, 1))).toEqual([3, 4, 6, 6, 8, 9]);
    expect([9, 8, 7, 6, 5, 4, 3].map((index) => from(index, -1))).toEqual([8, 6, 6, 4, 4, 3, 2]);
    expect([from(9, 1), from(2, -1)]).toEqual([undefined, undefined]);
  });

  it("is none where nothing is lost", () => {
    const safe = frames.map((frame) => ({
      ...frame,
      state: { clients: { produced: [] } },
    })) as unknown as Frame[];

    expect(toldOf(safe, stops)).toBeNull();
  });

  it("names the rule of the truncation behind the loss", () => {
    expect(told === null ? null : ruleBehind(frames, told)).toBe("HW-TRUNCATION");
  });

  describe("played", () => {
    if (told === null) throw new Error("nothing is told");
    /** The times of the sentences before the loss, whose lengths are given. */
    const times = (...lengths: readonly number[]): number[] => {
      const said = (stop: Stop): string => "x".repeat(lengths[told.indexOf(stop)] ?? 20);
      return told.slice(0, -1).map((stop) => restMs(stops, told, stop, said));
    };
    const whole = (rests: readonly number[]): number =>
      rests.reduce((sum, one) => sum + one, 0) +
      2 * restMs(stops, told, stops[5] as Stop, () => "");

    it("takes no longer than it may", () => {
      expect(whole(times(140, 140, 140, 140, 140))).toBeCloseTo(15_500);
    });

    it("takes as long as it takes to read, where there is time", () => {
      expect(times(20, 20, 20, 20, 20)).toEqual(told.slice(1).map(() => readingMs("x".repeat(20))));
    });

    it("gives the first sentence its time like any other", () => {
      const [first, second] = times(100, 100, 130, 100, 20);

      expect(first).toBe(second);
    });

    it("leaves time for short sentences, and most of it for long ones", () => {
      const [short = 0, , , , long = 0] = times(20, 140, 140, 140, 140);

      expect(short).toBeGreaterThanOrEqual(1_200);
      expect(long).toBeGreaterThan(2 * short);
    });
  });

  it("shows the summary of a step, or the event that describes it better", () => {
    expect(saidOf(frames, stops[3] as Stop, catalogue, "en")).toBe("Summary 3.");
  });
});
