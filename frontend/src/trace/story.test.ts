import { describe, expect, it } from "vitest";

import { storyStep } from "./fixtures";
import type { Frame, StoryStep } from "./frame";
import { sceneOf, stopAt, stopsOf, withToldSteps } from "./story";

function frame(number: number, step: number, parts: Partial<Frame> = {}): Frame {
  return {
    frame: number,
    parent: number - 1,
    step,
    events: [],
    changes: [],
    ...parts,
  } as unknown as Frame;
}

function told(step: number, first: number, telling_frame = first): StoryStep {
  return storyStep(step, first, first, {
    title: { en: String(step) },
    summary: { en: "." },
    telling_frame,
    marks: ["election"],
    mark_frames: { election: [telling_frame, 99] },
    mark_counts: { election: 2 },
  });
}

describe("the story of a branch", () => {
  const frames = [frame(0, 0), frame(1, 1), frame(2, 1), frame(7, 2)];

  it("has a stop for each step, with the frames that it opens into", () => {
    const stops = stopsOf(frames, [told(0, 0), told(1, 1, 2)]);

    expect(stops.map(({ step, from, to, telling }) => [step, from, to, telling])).toEqual([
      [0, 0, 0, 0],
      [1, 1, 2, 2],
      [2, 3, 3, 3],
    ]);
    expect(stops.map((stop) => stop.title?.en ?? null)).toEqual(["0", "1", null]);
    expect(stops.map((stop) => stop.markedAt)).toEqual([{ election: [0] }, { election: [2] }, {}]);
    expect(stops.map((stop) => stop.counts)).toEqual([{ election: 2 }, { election: 2 }, {}]);
    expect(stopAt(stops, 2)).toBe(stops[1]);
  });

  it("goes on with what an action made, also where it makes the last step longer", () => {
    expect(
      withToldSteps([told(0, 0), told(1, 1)], [told(1, 1), told(2, 5)]).map(
        ({ step, first_frame }) => [step, first_frame],
      ),
    ).toEqual([
      [0, 0],
      [1, 1],
      [2, 5],
    ]);
    expect(withToldSteps([told(0, 0)], [])).toHaveLength(1);
  });

  it("is drawn as one picture: its end, what happened on the way, and what is different after it", () => {
    const change = (before: number, after: number) => ({
      what: "log_end_offset",
      broker: 1,
      subject: null,
      before,
      after,
    });
    const [start, first, last] = [
      frame(0, 0),
      frame(1, 1, {
        events: [{ kind: "LogTruncated" }] as unknown as Frame["events"],
        changes: [change(3, 1)] as unknown as Frame["changes"],
      }),
      frame(2, 1, {
        events: [{ kind: "RecordsAppended" }] as unknown as Frame["events"],
        changes: [change(1, 2)] as unknown as Frame["changes"],
      }),
    ];
    const all = [start, first, last] as Frame[];
    const stop = stopsOf(all, [])[1];
    const scene = stop === undefined ? null : sceneOf(all, stop);

    expect(scene?.frame.frame).toBe(2);
    expect(scene?.previous).toBe(start);
    expect(scene?.frame.events.map((event) => event.kind)).toEqual([
      "LogTruncated",
      "RecordsAppended",
    ]);
    expect(scene?.frame.changes).toEqual([change(3, 2)]);
  });

  it("keeps the changes of each partition apart", () => {
    const change = (partition: string, before: number, after: number) => ({
      what: "leader",
      partition,
      broker: null,
      subject: null,
      before,
      after,
    });
    const all = [
      frame(0, 0),
      frame(1, 1, { changes: [change("t-0", 1, 2)] as unknown as Frame["changes"] }),
      frame(2, 1, { changes: [change("t-1", 1, 3)] as unknown as Frame["changes"] }),
    ] as Frame[];
    const stop = stopsOf(all, [])[1];

    expect(stop === undefined ? null : sceneOf(all, stop)?.frame.changes).toEqual([
      change("t-0", 1, 2),
      change("t-1", 1, 3),
    ]);
  });
});
