import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";
import { frameAt, loss, repair } from "../trace/fixtures";
import { overlaps } from "./rectangle";
import { boundaryX, cellX } from "./offset-axis";
import { layoutStage, MOST_TALLER } from "./stage";
import type { StageRequest } from "./stage-request";
import { stageRequest } from "./stage-request-fixture";
import { takenRoom } from "./taken-room";

function stage({ frame, ...overrides }: Partial<StageRequest> & Pick<StageRequest, "frame">) {
  return layoutStage(stageRequest(frame, overrides));
}

function rowOf(layout: ReturnType<typeof stage>, broker: number) {
  const row = layout.rows.find((candidate) => candidate.broker === broker);
  if (row === undefined) throw new Error(`no row of broker ${broker}`);
  return row;
}

describe("the stage's layout", () => {
  it("takes the room that is left with taller rows, if they have their usual height", () => {
    const frame = frameAt(repair, 1);
    const usual = stage({ frame });
    const taller = stage({ frame, taller: MOST_TALLER });

    for (const { broker, height, cellY, y } of usual.rows) {
      const row = rowOf(taller, broker);
      expect(row.height - height).toBeLessThanOrEqual(MOST_TALLER);
      expect(row.height).toBeGreaterThanOrEqual(144);
      expect(row.cellY - row.y).toBeGreaterThanOrEqual(cellY - y);
    }
    expect(stage({ frame, width: 358, taller: MOST_TALLER }).height).toBe(
      stage({ frame, width: 358 }).height,
    );
  });

  it("puts the same offset at the same x on every row", () => {
    const layout = stage({ frame: frameAt(repair, 1) });

    for (const row of layout.rows) {
      for (const cell of row.cells) expect(cell.x).toBe(cellX(layout.axis, cell.record.offset));
    }
  });

  it("stands the high watermark on the boundary, with the water left of it", () => {
    const layout = stage({ frame: frameAt(repair, 1) });
    const leader = rowOf(layout, 1);

    expect(leader.highWatermark?.x).toBe(boundaryX(layout.axis, 3));
    expect((leader.water?.x ?? 0) + (leader.water?.width ?? 0)).toBe(boundaryX(layout.axis, 3));
  });

  it("ends messages beside the name of a broker, above the text below it", () => {
    const layout = stage({ frame: frameAt(repair, 1) });
    const tips = layout.arcs.map(({ arrow }) => Number(/L[\d.]+ ([\d.]+)L/.exec(arrow)?.[1]));
    const onRows = tips.filter((y) => y < layout.height - 10);

    expect(onRows.length).toBeGreaterThan(0);
    for (const y of onRows)
      expect(layout.rows.some((row) => y >= row.cellY && y + 10 <= row.cellY + 20)).toBe(true);
  });

  it("takes the high watermark of a broker that is down from its file, and draws no water", () => {
    const down = rowOf(stage({ frame: frameAt(repair, 1) }), 3);

    expect(down.highWatermark).toMatchObject({ offset: 3, fromFile: true });
    expect(down.water).toBeNull();
  });

  it("counts a cell as committed by that replica's own high watermark", () => {
    const leader = rowOf(stage({ frame: frameAt(repair, 1) }), 1);

    expect(leader.cells.map((cell) => cell.committed)).toEqual([true, true, true, false, false]);
  });

  it("marks what differs from the leader's log", () => {
    const follower = rowOf(stage({ frame: frameAt(repair, 1) }), 2);

    expect(
      follower.cells.filter((cell) => cell.diverging).map((cell) => cell.record.value),
    ).toEqual(["m4", "m5"]);
  });

  it("gives short logs wide cells on the page, and none in a figure", () => {
    const frame = frameAt(loss, 1);

    expect(stage({ frame }).axis.cellWidth).toBe(160);
    expect(stage({ frame, dense: true, cards: false }).axis.cellWidth).toBe(84);
  });

  it("marks an acknowledged record as acknowledged", () => {
    const cells = stage({ frame: frameAt(loss, -1) }).rows.flatMap((row) => row.cells);

    expect(cells.length).toBeGreaterThan(0);
    for (const cell of cells)
      expect(cell.acknowledged).toBe(
        frameAt(loss, -1).state.clients.produced.some(
          (one) => one.id === cell.record.id && one.outcome === "acked",
        ),
      );
    expect(cells.some((cell) => cell.acknowledged)).toBe(true);
  });

  it("lets a follower's new records come from its leader's row", () => {
    const frame = frameAt(repair, 1);
    const log = frame.state.replicas["t-0"]?.["2"]?.log ?? [];
    const replicas = {
      ...frame.state.replicas,
      "t-0": {
        ...frame.state.replicas["t-0"],
        "2": { ...frame.state.replicas["t-0"]?.["2"], log: log.slice(0, -1) },
      },
    } as typeof frame.state.replicas;
    const layout = stage({ frame, previous: { ...frame, state: { ...frame.state, replicas } } });
    const follower = layout.rows.find((row) => row.cells.some((cell) => cell.arrivedFrom !== null));
    const leader = layout.rows.find((row) => row.replica?.role === "leader");

    expect(follower?.cells.find((cell) => cell.arrivedFrom !== null)?.arrivedFrom).toBe(
      (leader?.cellY ?? 0) - (follower?.cellY ?? 0),
    );
  });

  it("draws a link that is cut in the direction in which nothing arrives", () => {
    const frame = frameAt(repair, 1);
    const brokers = {
      ...frame.state.brokers,
      "1": { ...frame.state.brokers["1"], cut_from: [2] },
    } as typeof frame.state.brokers;
    const layout = stage({ frame: { ...frame, state: { ...frame.state, brokers } } });

    expect(layout.brokenLinks.map(({ from, to }) => [from, to])).toEqual([[1, 2]]);
    expect(stage({ frame }).brokenLinks).toEqual([]);
  });

  it("keeps records that were just cut as ghosts, in place of the empty slot", () => {
    const follower = rowOf(stage({ frame: frameAt(repair, 2) }), 2);

    expect(follower.ghosts.map((ghost) => ghost.record.value)).toEqual(["m4", "m5"]);
    expect(follower.logEnd?.slot).toBeNull();
  });

  it("draws each epoch from its start offset, and an empty one as wide as a cell", () => {
    const layout = stage({ frame: frameAt(repair, 1) });
    const epochs = rowOf(layout, 3).epochs;

    expect(epochs.map((entry) => [entry.epoch, entry.start])).toEqual([
      [0, 0],
      [1, 3],
    ]);
    expect(epochs[1]?.from).toBe(boundaryX(layout.axis, 3) + 2);
    expect((epochs[1]?.to ?? 0) - (epochs[1]?.from ?? 0)).toBe(layout.axis.cellWidth);
  });

  it("draws the line of a cut from the leader's epochs down to the follower's log", () => {
    const layout = stage({ frame: frameAt(repair, 2) });

    expect(layout.cut?.x).toBe(boundaryX(layout.axis, 3));
    expect(layout.cut?.fromY).toBeGreaterThan(rowOf(layout, 1).cellY);
    expect(layout.cut?.toY).toBeLessThan(rowOf(layout, 2).cellY);
  });

  it.each([320, 390, 768, 800, 992, 1440])(
    "keeps the label of a cut clear of names, flags and what the leader knows, %i px wide",
    (width) => {
      const frame = frameAt(repair, 2);
      const layout = stage({ frame, width });
      const others = layout.rows.flatMap((row) =>
        takenRoom(row, {
          axis: layout.axis,
          width,
          narrow: layout.narrow,
          withFiles: true,
          beliefLabel: (brokers, offset) => `broker ${brokers.join(", ")} seen at ${offset}`,
        }),
      );
      const label = layout.cut?.label;
      if (label === undefined) throw new Error("nothing is cut");

      expect(others.filter((other) => overlaps(label, other))).toEqual([]);
      expect(label.x).toBeGreaterThanOrEqual(0);
      expect(label.x + label.width).toBeLessThanOrEqual(width);
      expect(layout.cut?.fromY).toBeLessThanOrEqual(layout.cut?.stem.y ?? 0);
      expect(layout.cut?.toY).toBeGreaterThanOrEqual(layout.cut?.stem.y ?? 0);
    },
  );

  it.each([320, 360])(
    "moves the rows apart for the label of a cut that has no free place, %i px wide",
    (width) => {
      const request = { width, detail: "names", dense: true, cards: false } as const;
      const layout = stage({ ...request, frame: frameAt(repair, 2) });
      const others = layout.rows.flatMap((row) =>
        takenRoom(row, {
          axis: layout.axis,
          width,
          narrow: layout.narrow,
          withFiles: false,
          beliefLabel: () => "",
        }),
      );
      const label = layout.cut?.label;
      if (label === undefined) throw new Error("nothing is cut");

      expect(others.filter((other) => overlaps(label, other))).toEqual([]);
      expect(label.x + label.width).toBeLessThanOrEqual(width);
      expect(layout.height).toBeGreaterThan(
        stage({ ...request, frame: { ...frameAt(repair, 2), events: [] } }).height,
      );
    },
  );

  it("keeps the line of a cut clear of what the leader knows at that offset", () => {
    const frame = structuredClone(frameAt(repair, 2)) as unknown as {
      state: {
        replicas: Record<
          string,
          Record<
            string,
            {
              high_watermark: number;
              log_start_offset: number;
              followers: Record<string, { log_end_offset: number }>;
            }
          >
        >;
      };
    };
    const leader = frame.state.replicas["t-0"]?.["1"];
    const follower = leader?.followers["2"];
    if (leader === undefined || follower === undefined) throw new Error("broker 1 leads");
    leader.high_watermark = follower.log_end_offset = 0;
    const layout = stage({ frame: frame as unknown as ReturnType<typeof frameAt> });
    const belief = rowOf(layout, 1).beliefs.find(({ offset }) => offset === 0);

    expect(belief?.anchor).toBe("start");
    expect(belief?.labelX).toBeGreaterThan(boundaryX(layout.axis, 0) + 3);
    expect(belief?.tipX).toBeLessThan(boundaryX(layout.axis, 0) - 3);
  });

  it("draws no line of a cut across the names on a phone", () => {
    const { cut, rows } = stage({ frame: frameAt(repair, 2), width: 390 });

    expect(rows.some((row) => cut !== null && cut.fromY < row.y && cut.toY > row.y)).toBe(false);
  });

  it("draws the line of a cut from the follower's log down to a leader below it", () => {
    const layout = stage({ frame: frameAt(repair, 2), brokers: [2, 1] });

    expect(layout.cut?.fromY).toBeLessThan(rowOf(layout, 2).y + rowOf(layout, 2).height);
    expect(layout.cut?.toY).toBeGreaterThanOrEqual(rowOf(layout, 1).y);
    expect(layout.cut?.label.y).toBeLessThan(rowOf(layout, 1).y);
  });

  it("shortens the label of a cut rather than letting it cover others", () => {
    const text = (width: number) =>
      stage({
        frame: frameAt(repair, 2),
        width,
        cutLabels: () => ["truncate to the log end offset of the leader, which is 3", "to LEO 3"],
      }).cut?.label.text;

    expect(text(1440)).toContain("leader");
    expect(text(390)).toBe("to LEO 3");
  });

  it("keeps what the leader believes clear of the flag and of each other", () => {
    const frame = structuredClone(frameAt(repair, 1)) as unknown as {
      state: { replicas: Record<string, Record<string, { followers: unknown }>> };
    };
    const leader = frame.state.replicas["t-0"]?.["1"];
    if (leader !== undefined)
      leader.followers = {
        "2": { log_end_offset: 4 },
        "3": { log_end_offset: 5 },
        "4": { log_end_offset: 3 },
      };
    const row = rowOf(stage({ frame: frame as never }), 1);
    const boxes = row.beliefs.map((belief) => ({
      x: belief.anchor === "end" ? belief.labelX - 110 : belief.labelX,
      y: belief.line * 15,
      width: 110,
      height: 12,
    }));

    expect(row.beliefs).toHaveLength(3);
    boxes.forEach((box, index) =>
      boxes.slice(index + 1).forEach((other) => expect(overlaps(box, other)).toBe(false)),
    );
  });

  it("draws an arc for each message between its rows, and none for a broker without messages", () => {
    const layout = stage({ frame: frameAt(repair, 1) });

    expect(layout.arcs.map((arc) => [arc.message.from, arc.message.to])).toEqual([[1, 2]]);
    expect(layout.arcs[0]?.dot.y).toBeGreaterThan(rowOf(layout, 1).cellY);
    expect(layout.arcs[0]?.dot.y).toBeLessThan(rowOf(layout, 2).cellY + 18);
  });

  it("gives a broker without a replica only the line of its name on a phone", () => {
    const frame = frameAt(repair, 0);
    const { "2": gone, ...rest } = frame.state.replicas["t-0"] ?? {};
    const layout = stage({
      frame: { ...frame, state: { ...frame.state, replicas: { "t-0": rest } } },
      width: 390,
    });

    expect(gone).toBeDefined();
    expect(rowOf(layout, 2).height).toBeLessThanOrEqual(60);
    expect(rowOf(layout, 1).height).toBeGreaterThan(100);
  });

  it("moves a broker's name above its log on a phone, and drops the arcs", () => {
    const layout = stage({ frame: frameAt(repair, 1), width: 390 });

    expect(layout.narrow).toBe(true);
    expect(layout.arcs).toEqual([]);
    expect(layout.axis.cellWidth).toBeGreaterThanOrEqual(40);
  });

  it("keeps the order of a lone partition's replicas", () => {
    expect(stage({ frame: frameAt(loss, 0) }).rows.map((row) => row.broker)).toEqual([2, 1]);
  });

  it("keeps the rows where they were at the start if the assignment changes; new replicas follow", () => {
    const frame = frameAt(repair, 1);
    const reassigned = (replicas: readonly number[]): Frame =>
      ({
        ...frame,
        state: {
          ...frame.state,
          partitions: { "t-0": { ...frame.state.partitions["t-0"], replicas } },
        },
      }) as unknown as Frame;
    const rows = (replicas: readonly number[], order: readonly number[]): number[] =>
      stage({ frame: reassigned(replicas), order }).rows.map((row) => row.broker);

    expect(rows([3, 1, 2], [1, 2, 3])).toEqual([1, 2, 3]);
    expect(rows([3, 1, 2], [2, 9])).toEqual([2, 3, 1]);
  });

  it("marks the last stable offset only while it is below the high watermark", () => {
    const frame = frameAt(repair, 1);
    const marks = (stable: number | null) => {
      const replicas = Object.entries(frame.state.replicas["t-0"] ?? {}).map(
        ([broker, replica]) =>
          [broker, { ...replica, high_watermark: 3, last_stable_offset: stable }] as const,
      );
      const changed = {
        ...frame,
        state: { ...frame.state, replicas: { "t-0": Object.fromEntries(replicas) } },
      };
      return stage({ frame: changed }).rows.map((row) => row.lastStable?.offset ?? null);
    };

    expect(marks(1)).toEqual([1, 1, 1]);
    expect(marks(3)).toEqual([null, null, null]);
    expect(marks(null)).toEqual([null, null, null]);
  });

  it("draws no high watermark where the disk with its checkpoint is lost", () => {
    const frame = frameAt(repair, 1);
    const lost = Object.entries(frame.state.replicas["t-0"] ?? {}).map(
      ([broker, replica]) =>
        [
          broker,
          {
            ...replica,
            log: [],
            log_end_offset: 0,
            high_watermark: null,
            checkpoints: { high_watermark: null, recovery_point: null },
          },
        ] as const,
    );
    const changed = {
      ...frame,
      state: { ...frame.state, replicas: { "t-0": Object.fromEntries(lost) } },
    };

    expect(stage({ frame: changed }).rows.map((row) => row.highWatermark)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("keeps every belief's label on the stage", () => {
    const frame = structuredClone(frameAt(repair, 1)) as unknown as {
      state: {
        replicas: Record<
          string,
          Record<string, { followers: Record<string, { log_end_offset: number }> }>
        >;
      };
    };
    const followers = frame.state.replicas["t-0"]?.["1"]?.followers ?? {};
    for (const follower of Object.values(followers)) follower.log_end_offset = 5;

    const { beliefs } = rowOf(
      stage({ frame: frame as never, width: 420, cards: false, dense: true }),
      1,
    );

    expect(beliefs.map(({ offset, anchor }) => [offset, anchor])).toEqual([[5, "end"]]);
  });

  it("stands the files' button on a line of its own where an epoch's label is in its way", () => {
    const narrow = { frame: frameAt(repair, 1), width: 390 };
    const free = rowOf(stage({ ...narrow, epochLabel: () => "e" }), 3);
    const taken = rowOf(
      stage({
        ...narrow,
        epochLabel: (epoch, start) => `the epoch ${epoch} begins at the offset ${start}`,
      }),
      3,
    );

    expect(free.filesLine).toBe(0);
    const line = taken.epochs.filter((entry) => entry.labelEnd > 320).map((entry) => entry.line);
    expect(line).not.toEqual([]);
    expect(line).not.toContain(taken.filesLine);
    expect(taken.below).toBeGreaterThanOrEqual(taken.epochY + 16 + taken.filesLine * 15);
  });
});

describe("the height of rows", () => {
  const frame = frameAt(repair, 1);
  const heights = (request: Partial<StageRequest> = {}) =>
    stage({ frame, ...request }).rows.map((row) => row.height);
  const quiet = { ...frame, state: { ...frame.state, in_flight: [] } };

  it("is 120 pixels on a page, with a line of details too, and 90 if rows are low", () => {
    expect(heights()).toEqual([120, 120, 120]);
    expect(heights({ extraLines: () => 1 })).toEqual([120, 120, 120]);
    expect(heights({ low: true })).toEqual([90, 90, 90]);
    expect(heights({ low: true, extraLines: () => 1 })).toEqual([90, 90, 90]);
  });

  it("grows by less than a strip when a message arrives whose card has room beside the labels of the epochs, below their brackets", () => {
    const width = 860;
    const layout = stage({ frame, width });
    const card = layout.cards.find(({ broker }) => broker === 2);
    if (card === undefined) throw new Error("no card");

    expect(frame.state.in_flight.map(({ to }) => to)).toContain(2);
    expect(layout.cards.map(({ place }) => place)).toEqual(["below", "below", "below"]);
    const grown = layout.rows.map(
      (row, at) => row.height - (stage({ frame: quiet, width }).rows[at]?.height ?? 0),
    );
    expect(grown).toEqual([0, expect.toSatisfy((by: number) => by > 0 && by < 20), 0]);
    expect(card.y).toBeGreaterThan(rowOf(layout, 2).epochY);
    for (const { labelX, labelEnd } of rowOf(layout, 2).epochs)
      expect(labelEnd <= card.x || labelX >= card.x + card.width).toBe(true);
    expect(card.y + card.height).toBeLessThanOrEqual(rowOf(layout, 2).y + rowOf(layout, 2).height);
  });

  it("has room for the scroll bar of a strip only if its cards may not fit side by side, and lower cards in low rows", () => {
    const [message] = frame.state.in_flight;
    if (message === undefined) throw new Error("no message");
    const epochLabel = () =>
      "a label that leaves no room beside it, however wide the stage is, as it goes on and on";
    const shared = { range: { lowest: 0, highest: 40 }, rows: new Map<number, never>() };
    const strip = (cards: number, request: Partial<StageRequest> = {}) => {
      const inFlight = Array.from({ length: cards }, (_, id) => ({ ...message, id, to: 2 }));
      const waiting = { ...frame, state: { ...frame.state, in_flight: inFlight } };
      const place = stage({
        frame,
        waiting,
        width: 1000,
        shared,
        epochLabel,
        ...request,
      }).cards.find(({ broker }) => broker === 2);
      return place?.height;
    };

    const one = strip(1);
    expect(strip(2)).toBe(one);
    expect(strip(3)).toBeGreaterThan(one ?? Infinity);
    expect(strip(1, { low: true })).toBeLessThan(one ?? 0);
  });

  it("grows by a strip only in the row of a message whose card has no room there", () => {
    const crowded = {
      width: 860,
      epochLabel: (epoch: number, start: number) =>
        `the epoch ${epoch} of this leader begins right here, at the offset ${start}`,
    };
    const [before, after] = [stage({ frame: quiet, ...crowded }), stage({ frame, ...crowded })];

    expect(
      after.rows
        .filter((row) => row.height > rowOf(before, row.broker).height)
        .map((row) => row.broker),
    ).toEqual([2]);
  });

  it("is that of a log and two lines for a crowd, whose cards stand beside a long log", () => {
    const partition = frame.state.partitions["t-0"];
    const replica = frame.state.replicas["t-0"]?.["2"];
    const last = replica?.log.at(-1);
    if (partition === undefined || replica === undefined || last === undefined)
      throw new Error("no replica");
    const log = Array.from({ length: 200 }, (_, offset) => ({ ...last, offset }));
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const replicas = Object.fromEntries(
      all.map((broker) => [broker, { ...replica, log, log_end_offset: 200 }]),
    );
    const nine = {
      ...frame,
      state: {
        ...frame.state,
        partitions: { "t-0": { ...partition, replicas: all } },
        replicas: { "t-0": replicas },
      },
    };
    const layout = stage({ frame: nine });

    for (const row of layout.rows) expect(row.height).toBeLessThanOrEqual(72);
    expect(layout.cards.every(({ place }) => place === "side")).toBe(true);
    expect(layout.axis.shownPlaces).toBeGreaterThanOrEqual(8);
    expect(layout.axis.left + layout.axis.shownPlaces * layout.axis.pitch).toBeLessThanOrEqual(
      layout.cards[0]?.x ?? 0,
    );
    expect(layout.narrow).toBe(false);
  });
});
