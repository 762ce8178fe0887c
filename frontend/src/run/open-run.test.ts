import { afterEach, describe, expect, it, vi } from "vitest";

import { api, type Comparison } from "../service/api";
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
function viewOf(level: Level) {
  vi.spyOn(api, "compare").mockResolvedValue({
    steps: [{ item: 0, item_b: 0, frame_a: 2, frame_b: 3, differs: true }],
  } as unknown as Comparison);
  const navigate = vi.fn();
  const replay = () => Promise.resolve(other);
  const run = {
    session: "7h3k",
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

afterEach(() => vi.restoreAllMocks());

describe("another run of the same steps", () => {
  it("opens under another version at the paired moment and the same level", async () => {
    const { view, navigate } = viewOf("message");

    await openVersion(view, "0.11");

    expect(navigate.mock.calls).toEqual([["/x/9q?frame=3&level=message"]]);
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
