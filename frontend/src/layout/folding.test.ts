import { describe, expect, it } from "vitest";

import type { Frame, Replica, TraceEvent } from "../trace";
import { frameAt, repair } from "../trace/fixtures";
import { foldOffsets, hiddenIn, offsetsOfInterest } from "./folding";

const request = { lowest: 0, highest: 999, room: 12, wanted: [] as number[], opened: [] };

function placesOf(
  { lowest, highest }: typeof request,
  folds: ReturnType<typeof foldOffsets>,
): number {
  return highest - lowest + 1 - folds.reduce((hidden, fold) => hidden + hiddenIn(fold) - 1, 0);
}

function shows(folds: ReturnType<typeof foldOffsets>, offset: number): boolean {
  return !folds.some(({ from, to }) => offset >= from && offset <= to);
}

/** A leader and a follower with logs of these lengths, and one event about them. */
function long(ends: readonly number[], event: Partial<TraceEvent>): Frame {
  const base = frameAt(repair, 1);
  const replica = base.state.replicas["t-0"]?.["1"];
  const replicas = Object.fromEntries(
    ends.map((end, index): [string, Replica] => [
      String(index + 1),
      {
        ...(replica as Replica),
        log_end_offset: end,
        high_watermark: end,
        followers: {},
        diverging_offsets: [],
        epoch_cache: [[0, 0]],
      },
    ]),
  );
  const happened: TraceEvent = {
    kind: "EpochLookupAnswered",
    numbers: {},
    rule: null,
    sources: [],
    subject: {},
    ...event,
  };
  return { ...base, events: [happened], state: { ...base.state, replicas: { "t-0": replicas } } };
}

describe("folding", () => {
  it("folds nothing that there is room for", () => {
    expect(foldOffsets({ ...request, highest: 11 })).toEqual([]);
  });

  it("shows the requested offsets with their neighbours, and fills the space", () => {
    const wanted = { ...request, wanted: [80, 150] };

    const folds = foldOffsets(wanted);

    for (const offset of [79, 80, 81, 149, 150, 151]) expect(shows(folds, offset)).toBe(true);
    expect(placesOf(request, folds)).toBe(request.room);
  });

  it("never folds a lone offset: its cell takes no more room", () => {
    const folds = foldOffsets({ ...request, wanted: [4, 6, 8, 10, 500] });

    expect(folds.every((fold) => hiddenIn(fold) > 1)).toBe(true);
  });

  it("omits the least important offsets if there is not enough space", () => {
    const wanted = Array.from({ length: 40 }, (_, index) => index * 20);

    const folds = foldOffsets({ ...request, wanted });

    expect(shows(folds, 0)).toBe(true);
    expect(shows(folds, 780)).toBe(false);
    expect(placesOf(request, folds)).toBeLessThanOrEqual(request.room);
  });

  it("keeps a fold open that the user opened", () => {
    const folds = foldOffsets({ ...request, wanted: [999], opened: [{ from: 100, to: 200 }] });

    expect(shows(folds, 100) && shows(folds, 150) && shows(folds, 200)).toBe(true);
    expect(shows(folds, 300)).toBe(false);
  });
});

describe("what a step is about", () => {
  it("is the end offset of a lookup, before the ends of the logs", () => {
    const frame = long([150, 90], {
      numbers: { partition: "t-0", broker: 1, follower: 2, epoch: 1, end_offset: 80 },
    });

    expect(offsetsOfInterest(frame, "t-0").slice(0, 2)).toEqual([80, 150]);
    expect(offsetsOfInterest(frame, "t-0")).toEqual(expect.arrayContaining([79, 90, 0]));
  });

  it("is where a cut begins and ends, before the records between", () => {
    const subject = {
      partition: "t-0",
      offsets: Array.from({ length: 10 }, (_, index) => 80 + index),
    };
    const wanted = offsetsOfInterest(
      long([150, 80], {
        kind: "LogTruncated",
        numbers: { partition: "t-0", broker: 2, to: 80 },
        subject,
      }),
      "t-0",
    );

    expect(wanted.slice(0, 2)).toEqual([80, 89]);
    expect(wanted.indexOf(85)).toBeGreaterThan(wanted.indexOf(150));
  });

  it("keeps the end of the longest log in view, however many records a step is about", () => {
    const appended = (offset: number) =>
      long([141, 100], { numbers: {}, subject: { partition: "t-0", offsets: [offset] } });
    const events = Array.from({ length: 41 }, (_, index) => appended(100 + index).events).flat();
    const wanted = offsetsOfInterest({ ...appended(100), events }, "t-0");

    const folds = foldOffsets({ ...request, highest: 141, wanted });

    for (const offset of [100, 140, 141]) expect(shows(folds, offset)).toBe(true);
    expect(shows(folds, 120)).toBe(false);
  });

  it("is where logs differ and what violates a property, before the first event", () => {
    const base = long([200, 190], {
      numbers: { partition: "t-0", offset: 40 },
      subject: { partition: "t-0", offsets: [40, 41] },
    });
    const [one, two] = Object.values(base.state.replicas["t-0"] ?? {}) as [Replica, Replica];
    const violation = (evidence: object, until: number | null) => ({
      status: "violated",
      first_frame: 1,
      until_frame: until,
      evidence,
    });
    const frame = {
      ...base,
      properties: {
        LogMatching: violation({ partition: "t-0", offsets: [120] }, null),
        NoAckedRecordLost: violation(
          { partition: "u-0", elsewhere: { "t-0": [{ offset: 130 }] } },
          null,
        ),
        ConsistentRead: violation({ partition: "t-0", offsets: [20] }, 1),
      },
      state: {
        ...base.state,
        replicas: { "t-0": { "1": one, "2": { ...two, diverging_offsets: [60, 61, 62, 90] } } },
      },
    } as unknown as Frame;
    const wanted = offsetsOfInterest(frame, "t-0");
    const folds = foldOffsets({ ...request, highest: 200, room: 24, wanted });

    expect(wanted.slice(0, 6)).toEqual([120, 130, 60, 62, 90, 40]);
    for (const offset of [120, 130, 60, 61, 62, 90, 40, 199, 200])
      expect(shows(folds, offset)).toBe(true);
    expect(wanted).not.toContain(20);
  });

  it("excludes events of other partitions and of other logs", () => {
    const other = offsetsOfInterest(
      long([150, 90], { numbers: { partition: "u-0", offset: 40 } }),
      "t-0",
    );
    const metadata = offsetsOfInterest(
      long([150, 90], { kind: "MetadataApplied", numbers: { offset: 40 } }),
      "t-0",
    );

    expect(other).not.toContain(40);
    expect(metadata).not.toContain(40);
  });
});
