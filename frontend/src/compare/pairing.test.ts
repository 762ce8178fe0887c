import { describe, expect, it } from "vitest";

import type { Comparison } from "../service/api";
import type { Replica, State } from "../trace";

import {
  besideOf,
  differencesOf,
  differingOffsets,
  furtherProperty,
  oneSidedFall,
  passedBeside,
  placeOf,
} from "./pairing";

const steps = [
  { item: 0, item_b: 0, frame_a: 1, frame_b: 1, differs: false },
  { item: 1, item_b: 1, frame_a: 3, frame_b: 6, differs: false },
  { item: 2, item_b: 2, frame_a: 8, frame_b: 7, differs: true },
];
const here = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const there = [0, 1, 2, 3, 4, 5, 6, 7];

describe("what stands beside a frame", () => {
  it("is the end of a step at the end of that step", () => {
    expect(besideOf(steps, here, there, 0)).toEqual({ index: 0, differs: false });
    expect(besideOf(steps, here, there, 3)).toEqual({ index: 6, differs: false });
    expect(besideOf(steps, here, there, 8)).toEqual({ index: 7, differs: true });
  });

  it("is as far into a step, and no further than its end", () => {
    expect(besideOf(steps, here, there, 2)).toEqual({ index: 2, differs: null });
    expect(besideOf(steps, here, there, 6)).toEqual({ index: 7, differs: null });
  });

  it("skips steps that are not on these branches", () => {
    expect(
      besideOf(
        [...steps, { item: null, item_b: null, frame_a: 99, frame_b: 99, differs: true }],
        here,
        there,
        8,
      ).index,
    ).toBe(7);
  });
});

describe("what happened beside a frame", () => {
  it("is all that the other run did since the frame before, the inside of a longer step too", () => {
    expect(passedBeside(steps, here, there, 1)).toEqual([1]);
    expect(passedBeside(steps, here, there, 3)).toEqual([3, 4, 5, 6]);
  });

  it("is nothing at the start, and nothing where the other run has come to its end", () => {
    expect(passedBeside(steps, here, there, 0)).toEqual([]);
    expect(passedBeside(steps, here, there, 8)).toEqual([]);
  });
});

describe("two copies of a log", () => {
  const replica = (...values: string[]): Replica =>
    ({
      log: values.map((value, offset) => ({ offset, epoch: 0, value, id: value })),
    }) as unknown as Replica;

  it("differ where either holds another record, or none", () => {
    expect(differingOffsets(replica("a", "b"), replica("a", "c", "d"))).toEqual([1, 2]);
    expect(differingOffsets(replica("a"), replica("a"))).toEqual([]);
    expect(differingOffsets(undefined, replica("a"))).toEqual([0]);
  });
});

describe("a place in the state", () => {
  it("has a word, and an owner where it is a broker's", () => {
    expect(placeOf("/replicas/t-0/1/log")).toEqual({ word: "log", broker: "1" });
    expect(placeOf("/partitions/t-0/isr")).toEqual({ word: "isr", broker: "" });
  });
});

describe("a property that falls on one side only", () => {
  const fallen = {
    item: 12,
    item_b: 12,
    name: "NoAckedRecordLost",
    violated_in: "a" as const,
    first_frame: 26,
    frame_a: 27,
    frame_b: 31,
  };
  const same = (frame: number) => frame;

  it("fell at its first violation, not at the end of the step that it fell in", () => {
    expect(oneSidedFall(fallen, same, () => -1)).toEqual({ here: true, step: 26, frame: 26 });
  });

  it("is at a step of one side, and shows the other side's frame for it", () => {
    expect(oneSidedFall({ ...fallen, violated_in: "b", first_frame: 30 }, () => -1, same)).toEqual({
      here: false,
      step: 30,
      frame: 27,
    });
  });
});

describe("a property that falls on one side only, next to a loss", () => {
  const loss = {
    item: 12,
    item_b: 12,
    name: "NoAckedRecordLost",
    violated_in: "a" as const,
    first_frame: 26,
    frame_a: 27,
    frame_b: 31,
  };
  const further = (property: Comparison["property"], lost: Comparison["loss"]) =>
    furtherProperty({ property, loss: lost } as Comparison);

  it("is not named twice", () => {
    expect(further(loss, loss)).toBeNull();
    expect(further({ ...loss, name: "WeakIsr" }, loss)?.name).toBe("WeakIsr");
    expect(further({ ...loss, violated_in: "b" }, loss)?.violated_in).toBe("b");
  });

  it("is named without one", () => {
    expect(further(loss, null)).toBe(loss);
    expect(further(null, null)).toBeNull();
  });
});

describe("what differs between two runs", () => {
  const log = (
    values: readonly string[],
    highWatermark: number | null = 1,
    inFile = 1,
    role = "follower",
    brokerState = "running",
  ): Replica =>
    ({
      log: values.map((value, offset) => ({ offset, value })),
      log_end_offset: values.length,
      high_watermark: highWatermark,
      checkpoints: { high_watermark: inFile },
      role,
      broker_state: brokerState,
    }) as unknown as Replica;
  const state = (
    replicas: Readonly<Record<string, Replica>>,
    isr: readonly number[] = [1, 2, 3],
  ): State =>
    ({ replicas: { "t-0": replicas }, partitions: { "t-0": { isr } } }) as unknown as State;
  const none = { offsets: [], highWatermark: false, logEndOffset: false, isr: false, state: false };

  it("is named broker by broker, with its own offsets", () => {
    expect(
      differencesOf(
        state({ 1: log(["m1"]), 2: log(["m1", "m2"]) }),
        state({ 1: log(["m1", "m2"]), 2: log(["m1", "m2"]), 3: log(["m1"]) }),
        "t-0",
      ),
    ).toEqual([
      { ...none, broker: 1, offsets: [1], logEndOffset: true },
      { ...none, broker: 3, offsets: [0], highWatermark: true, logEndOffset: true, state: true },
    ]);
  });

  it("includes a high watermark over equal logs, which is the one in the file if the broker is down", () => {
    const both = ["m1", "m2"];

    expect(differencesOf(state({ 1: log(both, 1) }), state({ 1: log(both, 2) }), "t-0")).toEqual([
      { ...none, broker: 1, highWatermark: true },
    ]);
    expect(
      differencesOf(state({ 1: log(both, null, 2) }), state({ 1: log(both, 2) }), "t-0"),
    ).toEqual([]);
  });

  it("includes the ISR, the role and the state of a broker over equal logs", () => {
    const one = state({ 1: log(["m1"]), 2: log(["m1"]), 3: log(["m1"]) }, [1, 2]);

    expect(
      differencesOf(one, state({ 1: log(["m1"]), 2: log(["m1"]), 3: log(["m1"]) }, [1]), "t-0"),
    ).toEqual([{ ...none, broker: 2, isr: true }]);
    expect(
      differencesOf(
        one,
        state(
          {
            1: log(["m1"], 1, 1, "leader"),
            2: log(["m1"]),
            3: log(["m1"], 1, 1, "follower", "shutting_down"),
          },
          [1, 2],
        ),
        "t-0",
      ),
    ).toEqual([
      { ...none, broker: 1, state: true },
      { ...none, broker: 3, state: true },
    ]);
  });
});
