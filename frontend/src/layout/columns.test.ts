import { describe, expect, it } from "vitest";

import { twoPartitions } from "../trace/fixtures/two-partitions";
import type { Frame } from "../trace";
import { columnAt, fitSideBySide, layoutColumns } from "./columns";
import { cellX } from "./offset-axis";
import { messagesOf, type StageLayout } from "./stage";
import type { StageRequest } from "./stage-request";
import { stageRequest } from "./stage-request-fixture";

const NAMES = ["t-0", "t-1"];

/** The columns of both partitions. */
function columnsOf(
  frame: Frame,
  request: Partial<StageRequest> = {},
): readonly [StageLayout, StageLayout] {
  const [first, second] = layoutColumns(
    stageRequest(frame, { width: 1000, epochLabel: null, ...request }),
    NAMES,
    () => ({ scrolledTo: null, opened: [] }),
  );
  if (first === undefined || second === undefined) throw new Error("a partition has no column");
  return [first, second];
}

describe("partitions side by side", () => {
  it("need room for six cells each, and are three at most", () => {
    expect(fitSideBySide(1000, 2)).toBe(true);
    expect(fitSideBySide(390, 2)).toBe(false);
    expect(fitSideBySide(1000, 3)).toBe(false);
    expect(fitSideBySide(1500, 3)).toBe(true);
    expect(fitSideBySide(4000, 4)).toBe(false);
    expect(fitSideBySide(4000, 1)).toBe(false);
  });

  it("do not overlap, and fill the stage", () => {
    const [first, second] = columnsOf(twoPartitions());

    expect(first.column?.from).toBeGreaterThan(150);
    expect(second.column?.from).toBe(first.width);
    expect(second.width).toBe(1000);
    for (const column of [first, second]) {
      for (const { cells, logEnd } of column.rows) {
        for (const box of [...cells, ...(logEnd?.slot ? [logEnd.slot] : [])]) {
          expect(box.x).toBeGreaterThanOrEqual(column.column?.from ?? Infinity);
          expect(box.x + box.width).toBeLessThanOrEqual(column.width);
        }
      }
    }
  });

  it("have offset axes of their own", () => {
    const [first, second] = columnsOf(twoPartitions());

    expect(first.axis.highest).toBe(5);
    expect(second.axis.highest).toBe(2);
    for (const cell of second.rows.flatMap((row) => row.cells))
      expect(cell.x).toBe(cellX(second.axis, cell.record.offset));
  });

  it("have a row for each broker, also without a replica, at the same place in each column", () => {
    const [first, second] = columnsOf(twoPartitions(), {
      extraLines: (broker) => (broker === 2 ? 4 : 0),
    });
    const placesOf = (column: StageLayout) =>
      column.rows.map(({ broker, y, height, cellY }) => ({ broker, y, height, cellY }));

    expect(placesOf(first)?.map(({ broker }) => broker)).toEqual([1, 2, 3]);
    expect(placesOf(second)).toEqual(placesOf(first));
    expect(first.rows.map(({ replica }) => replica === null)).toEqual([false, false, true]);
    expect(second.rows.map(({ replica }) => replica === null)).toEqual([true, false, false]);
    expect(first.height).toBe(second.height);
  });

  it("keep rows together when one column needs more room above its cells or below them", () => {
    const frame = twoPartitions();
    const leader = frame.state.replicas["t-0"]?.["1"];
    const followers = Object.fromEntries(
      [2, 3, 4].map((broker) => [
        broker,
        { ...leader?.followers["2"], log_end_offset: broker + 1 },
      ]),
    );
    const told = {
      ...frame,
      state: {
        ...frame.state,
        replicas: {
          ...frame.state.replicas,
          "t-0": { ...frame.state.replicas["t-0"], "1": { ...leader, followers } },
        },
      },
    } as unknown as Frame;
    const plain = columnsOf(frame)[1].rows;
    const [first, second] = columnsOf(told, {
      filesOpen: new Set([2]),
      beliefLabel: () => "a label that takes most of its line",
    });
    const placesOf = (column: StageLayout) =>
      column.rows.map(({ y, height, cellY }) => [y, height, cellY - y]);

    expect(second.rows[0]?.cellY).toBeGreaterThan(plain[0]?.cellY ?? Infinity);
    expect(second.rows[1]?.height).toBeGreaterThan(plain[1]?.height ?? Infinity);
    expect(placesOf(second)).toEqual(placesOf(first));
  });

  it("move the rows of all columns apart for the label of one truncation", () => {
    const frame = twoPartitions();
    const cut = {
      ...(frame.events[0] ?? {}),
      kind: "LogTruncated",
      variant: "full",
      numbers: { partition: "t-0", broker: 2, to: 3, before: 5 },
      subject: {},
    };
    const [first, second] = columnsOf({ ...frame, events: [cut] } as unknown as Frame, {
      cutLabels: () => [
        "a label that is wider than a column ever was and so has no place beside anything",
        "one that is hardly any shorter than the other, and has none either, so far",
      ],
    });

    const plain = columnsOf(frame)[1].rows;
    expect(first.cut?.needsStrip).not.toBeUndefined();
    expect(second.cut).toBeNull();
    expect(second.rows.at(-1)?.y).toBeGreaterThan(plain.at(-1)?.y ?? Infinity);
    expect(second.rows.map(({ y }) => y)).toEqual(first.rows.map(({ y }) => y));
  });

  it("show a message between the rows once, and its card in the column of its partition", () => {
    const frame = twoPartitions();
    const message = frame.state.in_flight[0] ?? expect.fail();
    const state = {
      ...frame.state,
      in_flight: [
        { ...message, id: 1, partition: "t-1", from: 3, to: 2 },
        { ...message, id: 2, partition: null, from: 1, to: 2 },
      ],
    };
    const [first, second] = columnsOf({ ...frame, state } as unknown as Frame);

    expect(first.arcs.map((arc) => arc.message.id)).toEqual([1, 2]);
    expect(second.arcs).toEqual([]);
    expect(
      messagesOf({ ...frame, state } as unknown as Frame, "t-0", first.column).map(({ id }) => id),
    ).toEqual([2]);
    expect(
      messagesOf({ ...frame, state } as unknown as Frame, "t-1", second.column).map(({ id }) => id),
    ).toEqual([1]);
  });

  it("have a line for each card without room beside another, up to a few, and then cards scroll", () => {
    const frame = twoPartitions();
    const message = frame.state.in_flight[0] ?? expect.fail();
    const stripWith = (cards: number, width: number) => {
      const in_flight = Array.from({ length: cards }, (_, id) => ({
        ...message,
        id,
        partition: "t-1",
        from: 3,
        to: 2,
      }));
      const [, second] = columnsOf(
        { ...frame, state: { ...frame.state, in_flight } } as unknown as Frame,
        { cards: true, width },
      );
      return second.cards.find(({ broker }) => broker === 2)?.height;
    };

    // A line of 26 px, and 4 px between two.
    expect([1, 2, 3].map((cards) => stripWith(cards, 1000))).toEqual([26, 56, 86]);
    expect(stripWith(9, 1000)).toBe(101);
    expect(stripWith(2, 1800)).toBe(26);
  });

  it("are found by a point on them", () => {
    const columns = columnsOf(twoPartitions());

    expect(columnAt(columns, 20)).toBeNull();
    expect(columnAt(columns, 400)?.partition).toBe("t-0");
    expect(columnAt(columns, 900)?.partition).toBe("t-1");
  });
});
