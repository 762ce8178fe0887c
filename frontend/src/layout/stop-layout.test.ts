import { describe, expect, it } from "vitest";

import type { Stop } from "../trace/story";
import { placeStops } from "./stop-layout";
import { textWidth } from "./text";

/** Steps of so many messages each. */
function stopsOf(messages: readonly number[], marked: readonly number[] = []): Stop[] {
  let from = 0;
  return messages.map((count, step) => {
    const stop: Stop = {
      step,
      from,
      to: from + count - 1,
      telling: from,
      title: { en: `step ${step}` },
      summary: null,
      marks: marked.includes(step) ? ["election"] : [],
    };
    from += count;
    return stop;
  });
}

const labelOf = (stop: Stop): string => `${stop.step} produce m${stop.step}`;

describe("the steps on a timeline", () => {
  it("stand at even distances, and only the current one is open", () => {
    const { places } = placeStops({
      stops: stopsOf([1, 1, 5, 1]),
      index: 3,
      level: "story",
      width: 1000,
      labelOf,
    });
    const open = places[2];

    expect(places.map((place) => place.ticks.length)).toEqual([0, 0, 5, 0]);
    expect(open?.ticks.every(({ x }) => x > (open.x ?? 0) && x < open.left + open.width)).toBe(
      true,
    );
    expect((places[1]?.x ?? 0) - (places[0]?.x ?? 0)).toBeCloseTo(places[0]?.width ?? 0);
  });

  it("leave every message within reach: by its tick, or as the end of a closed step", () => {
    const { places, xOf, indexAt } = placeStops({
      stops: stopsOf([1, 4, 3]),
      index: 2,
      level: "story",
      width: 900,
      labelOf,
    });

    for (const tick of places[1]?.ticks ?? []) expect(indexAt(xOf(tick.index))).toBe(tick.index);
    expect(indexAt(places[2]?.x ?? 0)).toBe(7);
    expect(indexAt(-50)).toBe(0);
    expect(indexAt(5000)).toBe(7);
  });

  it("by messages have room by how many they are", () => {
    const { places, xOf, indexAt } = placeStops({
      stops: stopsOf([1, 8, 1]),
      index: 0,
      level: "message",
      width: 1000,
      labelOf,
    });

    expect(places.map((place) => place.width)).toEqual([100, 800, 100]);
    for (let index = 0; index < 10; index += 1) expect(indexAt(xOf(index))).toBe(index);
  });

  it("lose their labels where there is no room: first those without a mark, last the current one", () => {
    const stops = stopsOf(
      Array.from({ length: 40 }, () => 1),
      [5, 30],
    );
    const labelled = placeStops({
      stops,
      index: 20,
      level: "story",
      width: 1000,
      labelOf,
    }).places.filter((place) => place.label !== null);

    expect(labelled.map((place) => place.stop.step)).toContain(20);
    expect(labelled.length).toBeLessThan(12);
    const roomy = placeStops({
      stops: stops.slice(0, 8),
      index: 3,
      level: "story",
      width: 1000,
      labelOf,
    }).places;
    expect(roomy.every((place) => place.label !== null)).toBe(true);
  });

  it("keep the labels of both neighbours, however long the current one is", () => {
    const long = (stop: Stop): string => `${stop.step} the session of broker ${stop.step} ends`;
    const { places } = placeStops({
      stops: stopsOf([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
      index: 4,
      level: "story",
      width: 900,
      labelOf: long,
    });

    expect(places.filter((place) => place.label !== null).map((place) => place.stop.step)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    expect(places[4]?.label).toHaveLength(2);
  });

  it("have labels of one line, or of two that are about as long", () => {
    const names = ["start", "9 start broker 1", "fetch, response lost"];
    const { places } = placeStops({
      stops: stopsOf([1, 1, 1]),
      index: 0,
      level: "story",
      width: 270,
      labelOf: (stop) => names[stop.step] ?? "",
    });

    expect(places.map((place) => place.label)).toEqual([
      ["start"],
      ["9 start", "broker 1"],
      ["fetch,", "response lost"],
    ]);
  });

  it("have labels along the whole track where their dots are close", () => {
    const { places } = placeStops({
      stops: stopsOf(Array.from({ length: 22 }, () => 1)),
      index: 10,
      level: "story",
      width: 900,
      labelOf,
    });
    const labelled = places.filter((place) => place.label !== null);

    expect(labelled.map((place) => place.stop.step)).toContain(10);
    expect(labelled.length).toBeGreaterThanOrEqual(6);
    expect(Math.min(...labelled.map((place) => place.stop.step))).toBeLessThan(4);
    expect(Math.max(...labelled.map((place) => place.stop.step))).toBeGreaterThan(17);
  });

  it("have labels that do not read as one where there are hundreds of dots", () => {
    const { places } = placeStops({
      stops: stopsOf(Array.from({ length: 500 }, () => 1)),
      index: 499,
      level: "story",
      width: 1360,
      labelOf,
    });
    const labels = places.flatMap(({ x, label }) =>
      label === null
        ? []
        : [{ from: x, to: x + Math.max(...label.map((line) => textWidth(line, 11))) }],
    );

    expect(labels.length).toBeGreaterThan(8);
    for (const [at, { to }] of labels.slice(0, -1).entries())
      expect((labels[at + 1]?.from ?? 0) - to).toBeGreaterThanOrEqual(20);
  });

  it("share dots where there are more than there is room for, but never the current one", () => {
    const { places } = placeStops({
      stops: stopsOf(Array.from({ length: 1000 }, () => 1)),
      index: 501,
      level: "story",
      width: 1000,
      labelOf,
    });

    expect(places.filter((place) => place.dot).length).toBeLessThan(130);
    expect(places[501]?.dot).toBe(true);
  });
});
