import { describe, expect, it } from "vitest";
import type { Frame } from "../trace";
import { ALONG, along, DOWN, foldBefore, layoutDiagramAxis } from "./diagram-axis";
import { crosses, labelBox, labelWidth, placeLabels } from "./diagram-labels";
import { overlaps } from "./rectangle";
import { event, sent, ended, run, modelOf, itemsOf, arrows } from "./diagram-fixtures";

describe("labels", () => {
  it.each([false, true])(
    "are beside the line of the playhead that stops at their dot (downward: %s)",
    (vertical) => {
      const frames = run(
        ...Array.from({ length: 6 }, (_, at) => ({
          events: [event("LogTruncated", { broker: 1 + (at % 2), values: ["m1"] })],
          step: Math.floor(at / 2),
        })),
      );
      const axis = layoutDiagramAxis(modelOf(frames), vertical ? DOWN : ALONG);

      const crossed = itemsOf(frames, vertical).filter(({ label, column }) => {
        const half = vertical ? 7 : ((label?.lines[0]?.length ?? 0) * 6) / 2;
        return (
          label === null || Math.abs((vertical ? label.y : label.x) - along(axis, column)) < half
        );
      });

      expect(crossed).toEqual([]);
    },
  );

  it("do not lie on the length of folded time, which is in the middle if time runs downward", () => {
    const check = event(
      "IsrChecked",
      { broker: 1, partition: "t-0", replica: 2, checked_ms: 100, elapsed_ms: 1, lag_ms: 10_000 },
      "behind",
    );
    const frames = run({}, { timeMs: 10_000, events: [check] });
    const [start, end] = foldBefore(layoutDiagramAxis(modelOf(frames), DOWN), 1);
    const length = { x: 186, y: (start + end) / 2 - 6, width: 28, height: 12 };
    const labels = (text: string) =>
      itemsOf(frames, true, undefined, () => text).flatMap(({ label }) =>
        label === null ? [] : [labelBox(label, labelWidth(label.lines))],
      );

    expect(labels("behind")).toHaveLength(1);
    expect(
      [...labels("behind"), ...labels("a label that would reach the middle")].filter((box) =>
        overlaps(box, length),
      ),
    ).toEqual([]);
  });

  it("have the whole name of an error, on two lines if one has no room", () => {
    const error = "NOT_LEADER_OR_FOLLOWER";
    const refused = [
      event("ProduceFailed", { broker: 2, producer: "p1", value: "m1", partition: "t-0", error }),
    ];
    const produced = event("RecordProduced", {
      broker: 2,
      producer: "p1",
      value: "m1",
      partition: "t-0",
    });
    const named = (frames: Frame[]) =>
      itemsOf(
        frames,
        false,
        () => error,
        (label) => (typeof label.numbers.error === "string" ? label.numbers.error : label.name),
      ).flatMap(({ label }) => (label?.lines[0]?.startsWith("NOT") === true ? [label.lines] : []));

    const responses = [
      run({ step: 0 }, { events: [produced, ...refused], step: 1 }, { step: 2 }),
      run({ moves: [sent(1, 1, 2, { error })], step: 0 }, { moves: [ended(1)], step: 1 }),
    ];

    expect(responses.map(named)).toEqual([[["NOT_LEADER_", "OR_FOLLOWER"]], [[error]]]);
  });

  it("are one for responses that would be drawn over each other, with their number", () => {
    const refused = event("ProduceFailed", {
      broker: 2,
      producer: "p1",
      value: "m1",
      partition: "t-0",
      error: "REQUEST_TIMED_OUT",
    });
    const items = arrows(itemsOf(run({}, { events: [refused, refused] })));

    expect(items.map(({ all, label }) => [all.length, label?.lines])).toEqual([[2, ["fails ×2"]]]);
  });

  const bounds = { x: 0, y: 0, width: 200, height: 100 };

  it("take the first place that is free, the more telling ones first", () => {
    const both = [
      { x: 50, y: 20 },
      { x: 50, y: 60 },
    ];
    const placed = placeLabels(
      ["plain", "bad"].map((key) => ({
        key,
        rank: key === "bad" ? 0 : 4,
        forms: [{ lines: [key], width: 40, middles: both }],
      })),
      { boxes: [], lines: [], faint: [], stops: [] },
      bounds,
    );

    expect([placed.get("bad")?.y, placed.get("plain")?.y]).toEqual([20, 60]);
  });

  it("are the first form that has room", () => {
    const middles = [{ x: 100, y: 50 }];
    const forms = [
      { lines: ["long"], width: 180, middles },
      { lines: ["short"], width: 40, middles },
    ];
    const textIn = (width: number) =>
      placeLabels(
        [{ key: "a", rank: 0, forms }],
        { boxes: [], lines: [], faint: [], stops: [] },
        { ...bounds, x: 100 - width / 2, width },
      ).get("a")?.lines[0];

    expect([textIn(200), textIn(60), textIn(20)]).toEqual(["long", "short", undefined]);
  });

  it("cross a faint line only where there is no better place, and any other never", () => {
    const middles = [
      { x: 50, y: 20 },
      { x: 50, y: 60 },
    ];
    const through = (y: number) => ({ x1: 0, y1: y, x2: 200, y2: y });
    const at = (faint: number[], lines: number[], stops: number[] = []) =>
      placeLabels(
        [{ key: "a", rank: 0, forms: [{ lines: ["a"], width: 40, middles }] }],
        {
          boxes: [],
          lines: lines.map(through),
          faint: faint.map(through),
          stops: stops.map(through),
        },
        bounds,
      ).get("a")?.y;

    expect([at([20], []), at([20, 60], []), at([], [20, 60])]).toEqual([60, 20, undefined]);
    // A line at which the playhead stops is worse than a lane.
    expect([at([60], [], [20]), at([], [], [20, 60])]).toEqual([60, 20]);
  });

  it("distinguish a line that passes a box from one that crosses it", () => {
    const box = { x: 10, y: 10, width: 20, height: 10 };

    expect([
      crosses({ x1: 0, y1: 0, x2: 40, y2: 30 }, box),
      crosses({ x1: 0, y1: 20, x2: 10, y2: 40 }, box),
      crosses({ x1: 0, y1: 15, x2: 5, y2: 15 }, box),
    ]).toEqual([true, false, false]);
  });
});
