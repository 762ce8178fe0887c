import { describe, expect, it } from "vitest";

import type { Arrow } from "./diagram-model";
import { groupUnderWay } from "./diagram-groups";
import type { ShownArrow } from "./diagram-window";
import type { Rectangle } from "./rectangle";

interface Given {
  readonly receiver?: number;
  readonly kind?: Arrow["kind"];
  readonly start: number;
  readonly end: number | null;
  /** The column up to which it was held. */
  readonly held?: number;
}

/** A column is 100 wide; messages go from a lane at 100 down to one at 140. */
function arrow(
  id: number,
  { receiver = 2, kind = "metadata_record", start, end, held }: Given,
): ShownArrow {
  const of: Arrow = {
    id,
    kind,
    from: "controller",
    to: receiver,
    partition: null,
    numbers: {},
    offsets: [],
    start,
    end,
    fate: end === null ? "under way" : "arrived",
    heldFrom: held === undefined ? null : start,
    heldTo: held ?? null,
  };
  const from = { x: start * 100, y: 100 };
  const to = { x: (end ?? 20) * 100, y: 140 };
  const atEnd = end === null ? { x: 1900, y: 100 + (40 * (19 - start)) / (20 - start) } : null;
  const heldTo =
    held === undefined
      ? null
      : { x: held * 100, y: 100 + (40 * (held - start)) / ((end ?? 20) - start) };
  return {
    key: `m${id}`,
    shape: "arrow",
    of,
    all: [of],
    column: end ?? start,
    places: [of.from, of.to],
    tone: "plain",
    label: null,
    from,
    to,
    ending: end === null ? "dot" : "head",
    atEnd,
    heldTo,
    ringed: heldTo !== null,
  };
}

function groupedAt(
  index: number,
  arrows: readonly ShownArrow[],
  focused: string | null = null,
  names: readonly Rectangle[] = [],
) {
  const items = [...arrows].sort((a, b) => a.column - b.column);
  return groupUnderWay({
    items,
    stays: [],
    index,
    playhead: index * 100,
    vertical: false,
    lanes: [100, 140],
    across: [0, 300],
    names,
    focused,
    labelsOf: (all) => [`metadata ×${all.length}`, `×${all.length}`],
  }) as ShownArrow[];
}

const numbers = (items: readonly ShownArrow[]) => items.map(({ key, all }) => [key, all.length]);

describe("messages that would fuse at the playhead", () => {
  const backlog = [
    arrow(1, { start: 0, end: 12 }),
    arrow(2, { start: 1, end: 13 }),
    arrow(3, { start: 2, end: 14 }),
  ];

  it("are one arrow, from where the first was sent to where the last arrives", () => {
    const [one, ...others] = groupedAt(10, backlog);

    expect(others).toEqual([]);
    expect(one).toMatchObject({
      key: "m3",
      column: 14,
      from: { x: 0 },
      to: { x: 1400 },
      label: { lines: ["metadata ×3"] },
    });
    expect(one?.all.map((all) => "id" in all && all.id)).toEqual([1, 2, 3]);
  });

  it("are separate where their marks are, once they have arrived, and before they are sent", () => {
    expect(numbers(groupedAt(12, backlog))).toEqual([
      ["m1", 1],
      ["m3", 2],
    ]);
    expect(numbers(groupedAt(15, backlog))).toEqual([
      ["m1", 1],
      ["m2", 1],
      ["m3", 1],
    ]);
    expect(
      numbers(
        groupedAt(8, [
          arrow(1, { start: 0, end: 12 }),
          arrow(2, { start: 6, end: 13 }),
          arrow(3, { start: 9, end: 14 }),
        ]),
      ),
    ).toEqual([
      ["m1", 1],
      ["m2", 1],
      ["m3", 1],
    ]);
  });

  it("are of one kind, between the same ends", () => {
    expect(
      numbers(
        groupedAt(10, [
          arrow(1, { start: 0, end: 12 }),
          arrow(2, { start: 0, end: 12, kind: "stop_replica" }),
        ]),
      ),
    ).toEqual([
      ["m1", 1],
      ["m2", 1],
    ]);
  });

  it("have labels that do not meet, in several groups", () => {
    const both = groupedAt(10, [
      ...backlog,
      ...backlog.map(({ of }, at) =>
        arrow(11 + at, { receiver: 3, start: "id" in of ? of.start : 0, end: 12 + at }),
      ),
    ]);
    const [a, b] = both.map(({ label }) => label);

    expect(both.map(({ all }) => all.length)).toEqual([3, 3]);
    expect(
      Math.abs((a?.x ?? 0) - (b?.x ?? 0)) > 60 || Math.abs((a?.y ?? 0) - (b?.y ?? 0)) >= 14,
    ).toBe(true);
  });

  it("have a label beside the name of a step, or none if there is no room", () => {
    const free = groupedAt(10, backlog)[0]?.label ?? { x: NaN, y: NaN };
    const beside = groupedAt(10, backlog, null, [
      { x: free.x - 1, y: free.y - 1, width: 2, height: 2 },
    ])[0]?.label;

    expect(beside).toBeTruthy();
    expect([beside?.x, beside?.y]).not.toEqual([free.x, free.y]);
    expect(
      groupedAt(10, backlog, null, [{ x: 0, y: 0, width: 4000, height: 300 }])[0]?.label,
    ).toBeNull();
  });

  it("keep the focus that one of them has", () => {
    expect(groupedAt(10, backlog, "m1")[0]).toMatchObject({ key: "m1", column: 14 });
  });

  it("are those that are still in flight at the run's end, wherever the playhead is", () => {
    expect(
      numbers(groupedAt(0, [arrow(1, { start: 3, end: null }), arrow(2, { start: 4, end: null })])),
    ).toEqual([["m2", 2]]);
  });

  it("have one ring where they were held together, also when they have arrived", () => {
    const held = [
      arrow(1, { start: 0, end: 12, held: 10 }),
      arrow(2, { start: 1, end: 13, held: 10 }),
    ];

    expect(numbers(groupedAt(5, held))).toEqual([["m2", 2]]);
    expect(groupedAt(14, held).map(({ ringed }) => ringed)).toEqual([true, false]);
  });
});
