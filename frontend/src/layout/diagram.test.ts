import { describe, expect, it } from "vitest";
import type { Frame, Message } from "../trace";
import { ALONG, along, columnAt, DOWN, foldBefore, layoutDiagramAxis } from "./diagram-axis";
import type { Place } from "./diagram-facts";
import { laneHeight, lanesOf, mostLanes } from "./diagram-lanes";
import { DiagramModel, SECTION } from "./diagram-model";
import { placeAt, type ShownItem } from "./diagram-window";
import { overlaps } from "./rectangle";
import {
  event,
  sent,
  ended,
  run,
  modelOf,
  itemsOf,
  arrows,
  base,
  reader,
} from "./diagram-fixtures";

describe("the model of a run", () => {
  it("has a message from the frame that sent it to the frame in which its way ended", () => {
    const [section] = modelOf(
      run({ moves: [sent(1, 1, 2)], step: 0 }, { step: 0 }, { moves: [ended(1)], step: 0 }),
    ).sections;

    expect(section?.arrows).toMatchObject([
      { id: 1, from: 1, to: 2, start: 0, end: 2, fate: "arrived" },
    ]);
  });

  it("keeps messages in flight in every section that they cross", () => {
    const frames = run({ moves: [sent(1, 1, 2)] }, {}, { moves: [ended(1, "lost")] }, {});
    const model = modelOf(frames);

    expect(model.sections.map(({ arrows: all }) => all.map(({ id }) => id))).toEqual([
      [1],
      [1],
      [1],
      [],
    ]);
  });

  it("divides a long step into sections that can be laid out alone", () => {
    const model = modelOf(run(...Array.from({ length: SECTION * 2 + 1 }, () => ({ step: 1 }))));

    expect(model.bands).toHaveLength(1);
    expect(model.sections.map(({ first, last }) => last - first + 1)).toEqual([
      SECTION,
      SECTION,
      1,
    ]);
  });

  it("reads only the new frames of a run that continues, and all frames of a different run", () => {
    const frames = run({ moves: [sent(1, 1, 2)] }, {}, { moves: [ended(1)] });
    const begun = modelOf(frames.slice(0, 2));
    const [arrow] = begun.sections[0]?.arrows ?? [];

    const grown = begun.followed(frames);

    expect(grown).toBe(begun);
    expect(arrow).toMatchObject({ end: 2, fate: "arrived" });
    expect(begun.followed(run({}, {}))).not.toBe(begun);
  });

  it("has the start and the end of the time in which a message was held", () => {
    const held = { id: 1, held: true };
    const model = modelOf(
      run(
        { moves: [sent(1, 1, 2)] },
        { inFlight: [held] },
        { inFlight: [{ id: 1 }] },
        { moves: [ended(1)] },
      ),
    );

    expect(model.sections[0]?.arrows[0]).toMatchObject({ heldFrom: 1, heldTo: 2 });
  });

  it("has a stay where a fetch waits, and where a broker is down", () => {
    const model = modelOf(
      run(
        {},
        { inFlight: [{ id: 4, from: 1, to: 2, parked: true }], broker2: "crashed" },
        { broker2: "crashed" },
        {},
      ),
    );

    expect(model.sections.flatMap(({ stays }) => stays)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "parked", place: 2, start: 1, end: 2 }),
        expect.objectContaining({ kind: "down", place: 2, start: 1, end: 3 }),
      ]),
    );
  });

  it("reads each new frame once, however long the run", () => {
    const frames = run(
      ...Array.from({ length: 10_000 }, (_, at) => ({
        moves: [...(at > 0 ? [ended(at)] : []), sent(at + 1, 1, 2)],
        step: Math.floor(at / 5),
      })),
    );
    const read: number[] = [];
    const model = new DiagramModel(({ frame, step }) => {
      read.push(frame);
      return step;
    }, reader);

    for (let known = 1_000; known <= frames.length; known += 1_000)
      model.followed(frames.slice(0, known));

    expect(read).toEqual(frames.map(({ frame }) => frame));
    // What is over is not carried into later sections.
    expect(
      Math.max(
        ...model.sections.map(({ first, last, arrows: all }) => all.length - (last - first + 1)),
      ),
    ).toBe(1);
  });
});

describe("time along the diagram", () => {
  const frames = run(
    { step: 0 },
    { events: [event("BrokerCrashed", { broker: 1 })], step: 1 },
    { timeMs: 12_000, step: 2 },
  );

  it("is wider where something is said, and has a slot for time in which nothing happened", () => {
    const model = modelOf(frames);
    const axis = layoutDiagramAxis(model, ALONG);

    expect(model.idle).toEqual([null, null, 12_000]);
    expect((axis.moments[2] ?? 0) - (axis.lengths[2] ?? 0) / 2 - (axis.edges[2] ?? 0)).toBe(
      ALONG.idle,
    );
    expect(axis.edges).toHaveLength(4);
    expect(
      axis.edges.every((edge, at) => at === 0 || edge - (axis.edges[at - 1] ?? 0) >= ALONG.step),
    ).toBe(true);
  });

  it.each([ALONG, DOWN])("finds the column at the place of each", (measures) => {
    const axis = layoutDiagramAxis(modelOf(frames), measures);

    expect([0, 1, 2].map((column) => columnAt(axis, along(axis, column)))).toEqual([0, 1, 2]);
    expect([columnAt(axis, -50), columnAt(axis, 1e6)]).toEqual([0, 2]);
  });
});

describe("lanes", () => {
  it("are clients, brokers and the controller; clients only where there are any", () => {
    expect(lanesOf(modelOf(run({}, {})), 0, 0)).toEqual([2, 1, "controller"]);

    const produced = event("RecordProduced", {
      broker: 2,
      producer: "p1",
      value: "m1",
      partition: "t-0",
    });
    expect(lanesOf(modelOf(run({}, { events: [produced] })), 0, 0)).toEqual([
      "producers",
      2,
      1,
      "controller",
    ]);
  });

  it("are counted for the section that needs the most, also in a run that goes on", () => {
    const replicas = [1, 2, 3, 4, 5, 6, 7];
    const wide = (frames: Frame[]) =>
      frames.map((frame) => ({
        ...frame,
        state: {
          ...frame.state,
          partitions: { "t-0": { ...frame.state.partitions["t-0"], replicas } },
        },
      })) as Frame[];
    const frames = wide(run({ step: 0 }, { step: 1, moves: [sent(1, 1, 2)] }, { step: 2 }));
    const model = modelOf(frames);

    const before = mostLanes(model);
    const more = wide(
      run({}, {}, {}, { step: 3, moves: [sent(2, 1, 3), sent(3, 4, 5), sent(4, 6, 7)] }),
    ).slice(3);

    expect(mostLanes(modelOf(run({}, {})))).toBe(3);
    expect(before).toBeLessThan(8);
    expect(mostLanes(model.followed([...frames, ...more]))).toBeGreaterThan(before);
  });

  it("give way where they would be too low to be read", () => {
    expect(laneHeight(50 + 4 * 24, 4)).toBe(24);
    expect(laneHeight(50 + 4 * 24 - 1, 4)).toBeNull();
    expect(laneHeight(2_000, 4)).toBe(54);
  });
});

describe("what happens in a frame", () => {
  it("is a request and its effects, then the response", () => {
    const [frame] = run({
      events: [
        event("RecordProduced", { broker: 2, producer: "p1", value: "m1", partition: "t-0" }),
        event(
          "ProduceAcknowledged",
          { broker: 2, producer: "p1", value: "m1", partition: "t-0" },
          "1",
        ),
      ],
    });
    const { dots, jumps } = reader.factsOf(frame ?? base);

    expect(jumps.map(({ from, to, before }) => [from, to, before])).toEqual([
      ["producers", 2, true],
      [2, "producers", false],
    ]);
    expect(dots.map(({ place, label }) => [place, label.name])).toEqual([[2, "appends"]]);
  });

  it("is on the lane of the client’s kind, whatever its name is", () => {
    const [frame] = run({
      events: ["cart", "reader"].map((client) =>
        event("ClientMetadataRefreshed", { client, partition: "t-0", leader: 2 }),
      ),
    });
    const shown = frame ?? base;
    const { dots } = reader.factsOf({
      ...shown,
      state: {
        ...shown.state,
        clients: { ...shown.state.clients, consumers: { reader: { "t-0": 0 } } },
      },
    });

    expect(dots.map(({ place }) => place)).toEqual(["producers", "consumers"]);
  });

  it("is one dot where a broker is cut off from everybody", () => {
    const cut = (from: Message["from"], to: Message["to"]) => event("LinkCut", { from, to });
    const [frame] = run({ events: [cut(1, 2), cut(2, 1), cut(1, "controller")] });

    const isolated = { ...(frame ?? base), action: { isolate: { broker: 1, from: "all" } } };

    expect(reader.factsOf(isolated).dots.map(({ place }) => place)).toEqual([1]);
  });
});

describe("the window", () => {
  it("ends a message with a head, a cross, a ring or a dot", () => {
    const items = itemsOf(
      run(
        { moves: [sent(1, 1, 2), sent(2, 1, 2), sent(3, 1, 2), sent(4, 1, 2)] },
        { moves: [ended(1), ended(2, "lost")], inFlight: [{ id: 3, held: true }, { id: 4 }] },
      ),
    );

    expect(Object.fromEntries(arrows(items).map(({ key, ending }) => [key, ending]))).toEqual({
      m1: "head",
      m2: "cross",
      m3: "ring",
      m4: "dot",
    });
  });

  it.each([false, true])(
    "has a message in flight at the playhead, also at the end of the run (downward: %s)",
    (vertical) => {
      const frames = run(
        { moves: [sent(1, 1, 2), sent(2, 1, 2), sent(3, 1, 2)] },
        { inFlight: [{ id: 1 }, { id: 2, held: true }, { id: 3 }] },
        {
          moves: [ended(3), sent(4, 2, 1)],
          inFlight: [{ id: 1 }, { id: 2, held: true }, { id: 4 }],
        },
      );
      const axis = layoutDiagramAxis(modelOf(frames), vertical ? DOWN : ALONG);
      const places = (index: number) =>
        Object.fromEntries(
          arrows(itemsOf(frames, vertical)).map((arrow) => [
            arrow.key,
            placeAt(arrow, index, along(axis, index), vertical)?.[vertical ? "y" : "x"] ?? null,
          ]),
        );
      const sentNow = Math.min(along(axis, 2, 0.08), along(axis, 2) + 6);

      expect(places(2)).toEqual({ m1: along(axis, 2), m2: along(axis, 2), m3: null, m4: sentNow });
      // What is sent later is where the run ends.
      expect(places(1)).toEqual({
        m1: along(axis, 1),
        m2: along(axis, 1),
        m3: along(axis, 1),
        m4: sentNow,
      });
    },
  );

  it("omits messages that arrived without a visible effect", () => {
    expect(
      itemsOf(
        run(
          { moves: [sent(1, 1, 2), sent(2, 1, 2)] },
          { moves: [ended(1, "arrived_unseen"), ended(2, "replaced")] },
        ),
      ),
    ).toEqual([]);
  });

  it("leads to the frame in which a message arrived, else to the one that sent it", () => {
    const items = itemsOf(run({ moves: [sent(1, 1, 2)] }, { moves: [ended(1), sent(2, 2, 1)] }));

    expect(items.map(({ key, column }) => [key, column])).toEqual([
      ["m1", 1],
      ["m2", 1],
    ]);
  });

  it.each([false, true])("has no two labels on each other (downward: %s)", (vertical) => {
    const frames = run(
      ...Array.from({ length: 60 }, (_, at) => ({
        moves: [
          ...(at > 1 ? [ended(at - 1)] : []),
          sent(at + 1, at % 2 === 0 ? 1 : 2, at % 2 === 0 ? 2 : 1),
        ],
        events: [
          event("HighWatermarkAdvanced", { broker: 2, before: at, after: at + 1 }),
          event("LogTruncated", { broker: 1, values: ["m1"] }),
        ],
        step: Math.floor(at / 7),
      })),
    );
    const boxes = itemsOf(frames, vertical).flatMap(({ label }) =>
      label === null
        ? []
        : [
            {
              x: label.x - (label.lines[0] ?? "").length * 3,
              y: label.y - 6,
              width: (label.lines[0] ?? "").length * 6,
              height: 12,
            },
          ],
    );

    expect(boxes.length).toBeGreaterThan(60);
    expect(
      boxes.filter((box, at) => boxes.some((other, place) => place > at && overlaps(box, other))),
    ).toEqual([]);
  });
});

describe("messages of the controller to several brokers", () => {
  it.each([false, true])(
    "do not lie on each other if they arrive one after another (vertical: %s)",
    (vertical) => {
      const [next = 0, after = 0] = lanesOf(modelOf(run({})), 0, 0)
        .filter((place) => typeof place === "number")
        .reverse();
      const commands = run(
        { moves: [sent(1, "controller", next), sent(2, "controller", after)], step: 1 },
        { moves: [ended(1)], step: 1 },
        { moves: [ended(2)], step: 1 },
      );
      const [near, far] = arrows(itemsOf(commands, vertical));
      if (near === undefined || far === undefined) throw new Error("Both are drawn.");

      // The distance of the nearer head from the line of the other message.
      const [dx, dy] = [far.to.x - far.from.x, far.to.y - far.from.y];
      const distance =
        Math.abs(dy * (near.to.x - far.from.x) - dx * (near.to.y - far.from.y)) /
        Math.hypot(dx, dy);
      expect(near.to.y === far.to.y || near.to.x === far.to.x).toBe(false);
      expect(distance).toBeGreaterThan(6);
    },
  );
});

describe("the order within a frame", () => {
  const isr = event(
    "IsrShrunk",
    { broker: 1, partition: "t-0", replicas: [2], isr: [1] },
    "leader",
  );
  const start = (item: ShownItem | undefined): number =>
    item?.shape === "dot" ? item.at.x : (item?.from.x ?? NaN);

  it("is the fetch, the write of the ISR that it causes, and the effects of the write", () => {
    const frames = run(
      { moves: [sent(1, 2, 1)] },
      {
        moves: [ended(1)],
        events: [
          isr,
          event("HighWatermarkAdvanced", { broker: 1, partition: "t-0", before: 0, after: 1 }),
        ],
      },
    );
    const items = itemsOf(frames);
    const [fetch, write] = arrows(items);
    const dotAt = (place: Place) =>
      start(items.find((item) => item.shape === "dot" && item.of.place === place));

    expect([fetch?.key, write?.key]).toEqual(["m1", "j1-0"]);
    expect(start(write)).toBeGreaterThan(fetch?.to.x ?? Infinity);
    expect([dotAt("controller"), dotAt(1)]).toEqual([write?.to.x, write?.to.x]);
  });

  it.each([
    [false, "IsrChecked"],
    [true, "IsrChecked"],
    [false, "IsrChangesKept"],
  ])("has the checks of folded time at their times (downward: %s, %s)", (vertical, kind) => {
    const check = (checked_ms: number) =>
      event(
        kind as "IsrChecked",
        { broker: 1, partition: "t-0", replica: 2, checked_ms, elapsed_ms: 1, lag_ms: 10_000 },
        "behind",
      );
    const frames = run(
      {},
      { timeMs: 10_000, events: [check(2_500), check(2_501), check(5_000), check(10_000)] },
      { timeMs: 10_500, events: [check(10_250)] },
    );
    const axis = layoutDiagramAxis(modelOf(frames), vertical ? DOWN : ALONG);
    const at = itemsOf(frames, vertical).map((item) =>
      item.shape === "dot" ? item.at[vertical ? "y" : "x"] : NaN,
    );
    const [foldStart, foldEnd] = foldBefore(axis, 1);
    const inFold = at.filter((one) => one < along(axis, 1));
    const part = (inFold[0] ?? NaN) - foldStart - 6;

    // Those that would cover each other are one.
    expect(inFold).toHaveLength(vertical ? 1 : 2);
    expect(part / (foldEnd - foldStart - 12)).toBeCloseTo(0.25);
    expect(at.slice(inFold.length)).toEqual([along(axis, 1), along(axis, 2, -0.22)]);
  });
});
