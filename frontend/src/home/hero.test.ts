import { describe, expect, it } from "vitest";

import type { Catalogue, Frame } from "../trace";
import { readingMs } from "../trace/playback-times";
import type { Stop, StopMark } from "../trace/story";
import { momentFrom, restMs, ruleBehind, saidOf, toldOf } from "./hero";

const events: Readonly<Record<number, object>> = { 4: { kind: "LogTruncated", variant: null, rule: "HW-TRUNCATION", numbers: {}, evidence: {} } };
const marks: Readonly<Record<number, readonly StopMark[]>> = { 1: ["truncation"], 3: ["acknowledgement"], 4: ["truncation"], 6: ["at_risk"], 7: ["loss"] };

/** Eight steps of one frame each: the record is written in step 2, acknowledged in 3, lost in 7. */
const frames = Array.from({ length: 8 }, (_, frame) => ({
  frame,
  step: frame,
  events: events[frame] === undefined ? [] : [events[frame]],
  changes: [],
  state: { clients: { produced: [{ value: "m2", fate: "lost", frame: 2, acked_frame: 3 }] } },
})) as unknown as Frame[];
const stops: Stop[] = frames.map((_, at) => ({ step: at, from: at, to: at, telling: at, title: null, summary: { en: `Summary ${String(at)}.` }, marks: marks[at] ?? [] }));
const catalogue = { languages: { en: { events: { LogTruncated: { text: "It truncates.", formula: null } } } } } as unknown as Catalogue;

describe("the story of the front page", () => {
  const told = toldOf(frames, stops);

  it("begins before the record is written and is held where its fate turns", () => {
    expect(told?.from.step).toBe(1);
    expect(told?.moments.map((stop) => stop.step)).toEqual([3, 4, 6, 7]);
  });

  it("is stepped through by the moments, from wherever it plays", () => {
    if (told === null) throw new Error("nothing is told");
    const from = (index: number, direction: 1 | -1) => momentFrom(told, index, direction)?.step;

    expect([1, 3, 4, 5, 6].map((index) => from(index, 1))).toEqual([3, 4, 6, 6, 7]);
    expect([7, 6, 5, 4, 3].map((index) => from(index, -1))).toEqual([6, 4, 4, 3, 1]);
    expect([from(7, 1), from(1, -1)]).toEqual([undefined, undefined]);
  });

  it("is none where nothing is lost", () => {
    const safe = frames.map((frame) => ({ ...frame, state: { clients: { produced: [] } } })) as unknown as Frame[];

    expect(toldOf(safe, stops)).toBeNull();
  });

  it("names the rule of the truncation behind the loss", () => {
    expect(told === null ? null : ruleBehind(frames, told)).toBe("HW-TRUNCATION");
  });

  it("takes no longer than it may, and no shorter than it takes to read where there is time", () => {
    if (told === null) throw new Error("nothing is told");
    const whole = (said: string) => stops.filter((stop) => stop.from >= told.from.from && stop.step < 7).reduce((sum, stop) => sum + restMs(stops, told, stop, () => said), 0);

    expect(whole("x".repeat(140))).toBeLessThanOrEqual(16_500.1);
    expect(restMs(stops, told, stops[4] as Stop, () => "short")).toBe(readingMs("short"));
  });

  it("shows the summary of a step, or the event that describes it better", () => {
    expect(saidOf(frames, stops[3] as Stop, catalogue, "en")).toBe("Summary 3.");
  });
});
