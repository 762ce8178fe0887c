import { describe, expect, it } from "vitest";

import type { Stop, StopMark } from "../trace/story";
import { placeStops } from "./stop-layout";
import { markLines, messageSigns, stepDots } from "./stop-track";

/** Steps of so many messages each, all of them with a mark or two. */
function stopsOf(lengths: readonly number[]): Stop[] {
  let from = 0;
  return lengths.map((length, step) => {
    const stop: Stop = {
      step,
      from,
      to: from + length - 1,
      telling: from,
      title: null,
      summary: null,
      marks: step === 1 ? ["loss", "election"] : ["election"],
    };
    from += length;
    return stop;
  });
}

const signs = (path: string): number => path.split("M").length - 1;

describe("the signs of the timeline", () => {
  const stops = stopsOf([1, 4, 3]);
  const layout = placeStops({ stops, index: 2, level: "story", width: 900 });

  it("are a dot for each step, behind up to the current one", () => {
    const { past, ahead } = stepDots(layout, stops[1], 24);

    expect([signs(past), signs(ahead)]).toEqual([2, 1]);
    expect(past).toContain(`M${(layout.places[0]?.x ?? 0) - 4} 24a`);
  });

  it("are a tick for each message of the open step, behind up to the playhead", () => {
    const { past, ahead } = messageSigns(layout, "story", 2, 24);

    expect([signs(past), signs(ahead)]).toEqual([2, 2]);
    expect(past).toContain(`M${layout.xOf(2)} 19v10`);
  });

  it("are, by messages, dots where there is room for them", () => {
    const roomy = placeStops({ stops, index: 2, level: "message", width: 900 });
    expect(signs(messageSigns(roomy, "message", 2, 24).past)).toBe(2);

    const full = placeStops({ stops: stopsOf([2, 9_000]), index: 2, level: "message", width: 900 });
    expect(messageSigns(full, "message", 2, 24)).toEqual({ past: "", ahead: "" });
  });

  it("are marks in a line for each kind, two of a step beside each other and none beyond the end", () => {
    const lines = markLines(layout, (stop) => stop.marks, 1000);
    const [, x1 = 0, x2 = 0] = layout.places.map((place) => place.x);

    expect(lines.find(({ mark }) => mark === "loss")?.at).toEqual([layout.xOf(1)]);
    expect(lines.find(({ mark }) => mark === "election")?.at).toEqual([
      layout.places[0]?.x,
      layout.xOf(1) + 14,
      x2,
    ]);
    expect(markLines(layout, (stop) => stop.marks, x1)[0]?.at.at(-1)).toBe(x1);
  });

  it("are marks over the ticks of an open step, each where it happened", () => {
    const marked: Stop = {
      ...(stops[1] as Stop),
      marks: ["fault", "acknowledgement", "note", "question"],
      markedAt: { fault: [4], acknowledgement: [2, 3], note: [4], question: [4] },
    };
    const open = placeStops({
      stops: [stops[0] as Stop, marked, stops[2] as Stop],
      index: 4,
      level: "story",
      width: 600,
    });
    const at = (mark: StopMark): readonly number[] =>
      markLines(open, (stop) => stop.marks, 600).find((line) => line.mark === mark)?.at ?? [];

    expect(at("acknowledgement")).toEqual([open.xOf(2), open.xOf(3)]);
    expect(at("fault")).toEqual([open.xOf(4)]);
    for (const last of [at("note"), at("question")]) {
      expect(last[0]).toBeGreaterThan(open.xOf(4));
      expect(last[0]).toBeLessThan((open.places[2]?.x ?? 0) - 10.9);
    }
  });

  it("are a question and a note beside the events of a step, before further events", () => {
    const marks: StopMark[] = ["election", "fault", "isr", "note", "question"];
    const shown = (count: number, index = 1): StopMark[] => {
      const some = placeStops({
        stops: stopsOf(Array.from({ length: count }, () => 1)),
        index,
        level: "story",
        width: 1000,
      });
      return markLines(some, (stop) => (stop.step === 1 ? marks : stop.marks), 1000).flatMap(
        ({ mark, at }) => at.filter((x) => Math.floor(x / (1000 / count)) === 1).map(() => mark),
      );
    };

    expect(shown(10)).toEqual(marks);
    expect(shown(25)).toEqual(["election", "note", "question"]);
    expect(shown(40)).toEqual(["election", "question"]);
    expect(shown(60)).toEqual(["question"]);
  });

  it("are no marks over the dot of the next step", () => {
    for (const count of [12, 22, 33, 50, 80]) {
      const layout = placeStops({
        stops: stopsOf(Array.from({ length: count }, () => 1)),
        index: 2,
        level: "story",
        width: 1000,
      });
      const all = markLines(
        layout,
        () => ["loss", "fault", "isr", "note", "question"],
        1000,
      ).flatMap(({ at }) => at);

      for (const at of all.filter((x) => x < 900))
        expect(
          Math.min(...layout.places.filter(({ x }) => x > at + 0.01).map(({ x }) => x - at)),
        ).toBeGreaterThan(10.9);
    }
  });

  it("are no marks that overlap, of which losses stay", () => {
    const narrow = placeStops({
      stops: stopsOf(Array.from({ length: 40 }, () => 1)),
      index: 20,
      level: "story",
      width: 280,
    });
    const lines = markLines(narrow, (stop) => stop.marks, 280);
    const all = lines.flatMap(({ at }) => at).sort((a, b) => a - b);

    expect(all.length).toBeGreaterThan(10);
    for (const [place, at] of all.entries())
      expect(at - (all[place - 1] ?? -Infinity)).toBeGreaterThanOrEqual(11);
    expect(lines.find(({ mark }) => mark === "loss")?.at).toHaveLength(1);
  });
});
