import { describe, expect, it, vi } from "vitest";

import { catalogue, loss, storyStep } from "../../trace/fixtures";
import type { PlayerPart } from "../../trace";
import { Branch } from "./branch.svelte";
import { BLOCK, LARGEST, partOf, runOf } from "./fixture";

/** The fixture over and over, in steps of two frames: longer than two parts. */
const frames = Array.from({ length: 3 }, () => loss)
  .flat()
  .map((frame, at) => ({ ...frame, frame: at, step: Math.ceil(at / 2) }));
const story = [...new Set(frames.map(({ step }) => step))].map((step) =>
  storyStep(step, step === 0 ? 0 : step * 2 - 1, step * 2),
);

function open(at: number) {
  const from = at - 1 - ((at - 1) % BLOCK);
  const read = vi.fn((start: number, end: number): Promise<PlayerPart> =>
    Promise.resolve(partOf(frames, story, catalogue, "en", start, end)),
  );
  const branch = new Branch(
    runOf(frames, story, partOf(frames, story, catalogue, "en", from, at + BLOCK)),
    "en",
    read,
  );
  const want = (position: number) =>
    branch.want(
      position,
      branch.stops.find((stop) => position <= stop.to) ?? {
        from: 0,
        to: 0,
        step: 0,
        telling: 0,
        title: null,
        summary: null,
        marks: [],
      },
    );
  return { branch, read, want };
}

describe("the branch of an embed", () => {
  it("of a share counts frames, and that of a lesson steps with their messages", () => {
    const { branch: share } = open(20);
    const lesson = new Branch(
      { ...share.run, path: "/lessons/a", query: "kafka=0.11", counts: "steps" },
      "en",
      () => Promise.reject(new Error()),
    );

    expect([share.queryOf(19, false), share.queryOf(19, true)]).toEqual([
      "frame=19",
      "frame=19&level=message",
    ]);
    expect([lesson.queryOf(19, false), lesson.queryOf(19, true)]).toEqual([
      "step=10",
      "step=10&message=1",
    ]);
    expect([share.positionAt(10), lesson.positionAt(10), lesson.positionAt(9999)]).toEqual([
      10,
      20,
      lesson.last,
    ]);
  });

  it("knows its outline, and of frames only those that have come", () => {
    const { branch } = open(20);

    expect(branch.last).toBe(frames.length - 1);
    expect(branch.stops).toHaveLength(story.length);
    expect(branch.stops[10]).toMatchObject({ from: 19, to: 20, title: { en: "title 10" } });
    expect(branch.stops[1]?.title).toBeNull();
    expect(branch.moment(20, null)?.frame.frame).toBe(20);
    expect(branch.moment(2, null)).toBeNull();
  });

  it("asks for what is around the playhead, once, and for no more of a long run", async () => {
    const { branch, read, want } = open(20);

    await want(20);
    await want(20);

    expect(read.mock.calls).toEqual([[24, 28]]);
    expect(branch.moment(20, branch.stops[10] ?? null)?.frame.events).toHaveLength(
      (frames[19]?.events.length ?? 0) + (frames[20]?.events.length ?? 0),
    );
  });

  it("asks for what is missing in parts that are not too long", async () => {
    const { branch, read } = open(1);

    await branch.want(12, {
      ...(branch.stops[6] ?? {
        from: 0,
        to: 0,
        step: 0,
        telling: 0,
        title: null,
        summary: null,
        marks: [],
      }),
      from: 9,
      to: 9 + LARGEST - 1,
    });

    for (const [from, to] of read.mock.calls) {
      expect(from % BLOCK).toBe(0);
      expect(to - from).toBeLessThanOrEqual(LARGEST);
    }
    expect(branch.moment(16, null)?.frame.frame).toBe(16);
  });

  it("asks again for what could not be had", async () => {
    const { branch, read, want } = open(20);
    read.mockRejectedValueOnce(new Error("away"));
    await want(4);
    expect(branch.failed).toBe(true);

    await want(4);

    expect(branch.failed).toBe(false);
    expect(branch.moment(4, null)?.frame.frame).toBe(4);
  });

  it("draws the same frame with the same words before as the run would in one piece", async () => {
    const { branch, want } = open(20);
    await want(5);

    expect(branch.moment(5, null)).toMatchObject({
      frame: { frame: 5, state: frames[5]?.state },
      previous: { frame: 4 },
    });
    expect(branch.positionOf(7)).toBe(7);
    expect(branch.stepOf(7)).toBe(4);
  });
});
