import { describe, expect, it } from "vitest";

import { frameAt, repair } from "../trace/fixtures";
import { layoutStage } from "./stage";
import { stageRequest } from "./stage-request-fixture";

/** The folds of broker 1's log of 60 records, whose epoch begins anew at an offset. */
function foldsOf({ secondEpochFrom = 60, diverging = [] as readonly number[] }) {
  const frame = frameAt(repair, 1);
  const replica = frame.state.replicas["t-0"]?.["1"];
  const log = Array.from({ length: 60 }, (_, offset) => ({
    offset,
    epoch: offset < secondEpochFrom ? 0 : 1,
    value: `v${offset}`,
    id: `r${offset}`,
  }));
  const long = {
    ...replica,
    log,
    log_end_offset: 60,
    high_watermark: 60,
    epoch_cache: [[0, 0]],
    followers: {},
    diverging_offsets: diverging,
  };
  const layout = layoutStage(
    stageRequest({
      ...frame,
      events: [],
      state: { ...frame.state, replicas: { "t-0": { "1": long } } },
    } as unknown as typeof frame),
  );
  return layout.rows.find(({ broker }) => broker === 1)?.folds ?? [];
}

describe("a fold in a log", () => {
  it("has the tint of the records' epoch, and their number", () => {
    const [fold] = foldsOf({});

    expect(fold?.count).toBe((fold?.fold.to ?? 0) - (fold?.fold.from ?? 0) + 1);
    expect([fold?.tint, fold?.diverging]).toEqual([0, false]);
  });

  it("has no tint if it is about several epochs", () => {
    expect(foldsOf({ secondEpochFrom: 20 })[0]?.tint).toBeNull();
  });

  it("shows that records in it diverge from the leader's", () => {
    const diverging = Array.from({ length: 40 }, (_, place) => place + 5);

    expect(foldsOf({ diverging }).map((fold) => fold.diverging)).toContain(true);
  });
});

describe("a record that has just left a log", () => {
  it.each([
    ["LogTruncated", false],
    ["UnflushedRecordsLost", true],
  ])("after %s was on no disk: %s", (kind, unflushed) => {
    const frame = frameAt(repair, 1);
    const gone = {
      offset: frame.state.replicas["t-0"]?.["1"]?.log_end_offset ?? 0,
      epoch: 0,
      value: "m9",
      id: "r9",
    };
    const events = [
      { kind, numbers: { broker: 1, partition: "t-0" }, subject: { records: [gone] } },
    ];
    const layout = layoutStage(stageRequest({ ...frame, events } as unknown as typeof frame));
    const [ghost] = layout.rows.find(({ broker }) => broker === 1)?.ghosts ?? [];

    expect([ghost?.cut, ghost?.unflushed]).toEqual([true, unflushed]);
  });
});
