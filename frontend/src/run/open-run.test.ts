import { describe, expect, it, vi } from "vitest";

import type { OtherVersion } from "../session/comparison-runs.svelte";
import type { Level } from "../trace/story";
import { openVersion, startAnew } from "./open-run";
import type { RunView } from "./run-view.svelte";

const other = {
  session: "9q",
  kafka: "0.11",
  frames: [0, 1, 2, 3, 4, 5].map((frame) => ({ frame })),
} as unknown as OtherVersion;

/** A view at the end of a step, whose messages the other run has one more of. */
function viewOf(level: Level, replayed: OtherVersion = other) {
  const steps = [{ item: 0, item_b: 0, frame_a: 2, frame_b: 3, differs: true }];
  const navigate = vi.fn();
  const replay = () => Promise.resolve(replayed);
  const run = {
    lessonId: "s26",
    scenario: { kafka: "0.10.2" },
    compare: () => Promise.resolve({ steps }),
    kafka: "0.10.2",
    path: [0, 1, 2, 3],
    index: 2,
    comparisons: { replayUnder: replay, replayWith: replay },
  };
  return {
    navigate,
    view: { run, level, atEnd: false, reading: { navigate } } as unknown as RunView,
  };
}

describe("another run of the same steps", () => {
  it("opens under another version at the paired moment and the same level", async () => {
    const { view, navigate } = viewOf("message");

    await openVersion(view, "0.11");

    expect(navigate.mock.calls).toEqual([["/x/9q?frame=3&level=message"]]);
  });

  it.each<[Level, string, string]>([
    ["story", "0.11", "/lessons/s26?step=1&kafka=0.11"],
    ["message", "0.11", "/lessons/s26?step=1&message=3&kafka=0.11"],
    ["story", "0.10.2", "/lessons/s26?step=1"],
  ])("stays a lesson by its %s under %s if it is only read", async (level, kafka, address) => {
    const frames = other.frames.map((frame, at) => ({ ...frame, step: at === 0 ? 0 : 1 }));
    const { view, navigate } = viewOf(level, { ...other, kafka, frames, session: null });
    const { run } = view;
    Object.assign(run, { kafka: kafka === "0.11" ? "0.10.2" : "0.11" });

    await openVersion(view, kafka);

    expect(navigate.mock.calls).toEqual([[address]]);
  });

  it("begins at its start under other settings", async () => {
    const { view, navigate } = viewOf("story");

    await startAnew(
      view,
      { configs: { "min.insync.replicas": 2 }, producing: {}, was: { "min.insync.replicas": 1 } },
      false,
    );

    expect(navigate.mock.calls).toEqual([["/x/9q?frame=0"]]);
  });
});
