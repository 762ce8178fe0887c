import { describe, expect, it } from "vitest";

import type { RowLayout } from "../../layout/replica-row";
import { layoutStage } from "../../layout/stage";
import type { StageRequest } from "../../layout/stage-request";
import { stageRequest } from "../../layout/stage-request-fixture";
import { textWidth } from "../../layout/text";
import type { Frame } from "../../trace";
import { frameAt, repair } from "../../trace/fixtures";
import { linesBelowName } from "./broker-text";
import { layoutGutter, packedLines, roleLinesOf } from "./gutter-layout";
import type { GutterText } from "./row-text";

const lines = [
  { text: "paused", tone: "warn" as const },
  { text: "caught up 2 s ago", tone: "plain" as const },
  { text: "isolated from 1", tone: "bad" as const },
];

describe("the details of a broker", () => {
  it("share a line if it holds them, in the tone of the worst", () => {
    expect(packedLines(lines, 1000)).toEqual([
      { text: "paused · caught up 2 s ago · isolated from 1", tone: "bad" },
    ]);
    expect(packedLines(lines.slice(0, 2), 1000)).toEqual([
      { text: "paused · caught up 2 s ago", tone: "warn" },
    ]);
  });

  it("go on to the next line otherwise, none shortened", () => {
    expect(packedLines(lines, 160).map(({ text }) => text)).toEqual([
      "paused · caught up 2 s ago",
      "isolated from 1",
    ]);
    expect(packedLines(lines, 10)).toEqual(lines);
    expect(packedLines([], 160)).toEqual([]);
  });
});

describe("the role on a phone", () => {
  const row = { y: 0, cellY: 50, cellHeight: 38, filesLine: 0 } as RowLayout;
  const sync = { text: "out of sync", tone: "warn" as const, filled: false };
  const text = (role: string, glyph: GutterText["glyph"]): GutterText => ({
    name: "Broker 1",
    glyph,
    preferred: true,
    role: { text: role, tone: "plain" },
    sync,
    extra: [],
  });
  const on = (width: number) => ({
    narrow: true,
    low: false,
    width,
    axis: { left: 14 } as never,
    detail: "all" as const,
    column: null,
  });

  it("is shortened before the ISR state becomes a glyph", () => {
    const leader = layoutGutter(row, text("leader · epoch 12", "crown"), on(300));
    const down = layoutGutter(row, text("down since step 3, not detected", "down"), on(370));

    expect([leader.roleLines.map((line) => line.text), leader.syncIsBrief]).toEqual([
      ["epoch 12"],
      false,
    ]);
    expect([down.roleLines.map((line) => line.text), down.syncIsBrief]).toEqual([
      ["down since step 3"],
      false,
    ]);
  });

  it("is whole if there is room, and if nothing shorter has room either", () => {
    expect(
      layoutGutter(row, text("leader · epoch 12", "crown"), on(420)).roleLines.map(
        (line) => line.text,
      ),
    ).toEqual(["leader · epoch 12"]);
    expect(layoutGutter(row, text("leader · epoch 12", "crown"), on(230)).syncIsBrief).toBe(true);
  });
});

describe("the roles of a broker", () => {
  const text = {
    name: "Broker 1",
    glyph: null,
    preferred: false,
    role: { text: "t-0 · t-1 leader · epoch 12", tone: "plain" as const },
    sync: null,
    extra: [],
  };

  it("are broken between their parts, and inside them only if one is too long", () => {
    const linesAt = (room: number) => roleLinesOf(text, room).map((line) => line.text);

    expect(linesAt(1000)).toEqual(["t-0 · t-1 leader · epoch 12"]);
    expect(linesAt(120)).toEqual(["t-0 · t-1 leader", "epoch 12"]);
    expect(linesAt(60)).toEqual(["t-0", "t-1 leader", "epoch 12"]);
    expect(linesAt(40)).toEqual(["t-0", "t-1", "leader", "epoch", "12"]);
  });

  it("begin on a line of their own in each partition", () => {
    const both = { ...text, otherRoles: [{ text: "t-2 follower", tone: "plain" as const }] };

    expect(roleLinesOf(both, 1000).map((line) => line.text)).toEqual([
      "t-0 · t-1 leader · epoch 12",
      "t-2 follower",
    ]);
  });
});

describe("the texts of a gutter", () => {
  const line = (text: string) => ({ text, tone: "plain" as const });
  const text = (role: string, extra: readonly string[] = []): GutterText => ({
    name: "Broker 1",
    glyph: null,
    preferred: false,
    role: line(role),
    sync: { text: "out of sync", tone: "warn", filled: false },
    extra: extra.map(line),
  });
  const long = text("down since step 12, not detected", [
    "caught up 12.5 s ago (max 300 s)",
    "isolated from 2, 3, 4, 5 and the controller",
  ]);

  /** Every broker sends to every other, the controller too, and is cut off from all. */
  function busy(brokers: readonly number[]): Frame {
    const frame = frameAt(repair, 1);
    const [message] = frame.state.in_flight;
    const partition = frame.state.partitions["t-0"];
    const ends = [...brokers, "controller" as const];
    const pairs = ends.flatMap((from) => ends.flatMap((to) => (from === to ? [] : [{ from, to }])));
    const in_flight = pairs.map((ends, id) => ({ ...message, id: String(id), ...ends }));
    const all = Object.fromEntries(
      brokers.map((broker) => [
        broker,
        { ...frame.state.brokers["1"], cut_from: brokers.filter((other) => other !== broker) },
      ]),
    );
    const replicas = Object.fromEntries(
      brokers.map((broker) => [broker, { ...frame.state.replicas["t-0"]?.["2"], broker }]),
    );
    return {
      ...frame,
      state: {
        ...frame.state,
        in_flight,
        brokers: all,
        partitions: { "t-0": { ...partition, replicas: brokers } },
        replicas: { "t-0": replicas },
      },
    } as unknown as Frame;
  }

  const numbersIn = (path: string): number[] =>
    (path.match(/[\d.]+(?= [\d.]+)|(?<=[MLQ])[\d.]+/gu) ?? []).map(Number);
  const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const places: readonly (readonly [string, Partial<StageRequest>, readonly number[]])[] = [
    ["on a page", {}, [1, 2, 3]],
    ["in low rows", { low: true }, [1, 2, 3]],
    ["of a crowd", { width: 1000 }, nine],
    ["of a compact stage", { dense: true, cards: false, width: 640 }, [1, 2, 3]],
    [
      "next to columns",
      { column: { from: 236, to: 600, partitions: ["t-0", "t-1"], first: true } },
      [1, 2, 3],
    ],
  ];

  it.each(places)(
    "end before the lines between the rows, whether or not there are any, %s",
    (_, request, brokers) => {
      const layout = layoutStage(stageRequest(busy(brokers), request));
      // A quadratic curve goes half as far as its control point.
      const arcs = layout.arcs.flatMap(({ path, dot }) => {
        const [from = 0, control = 0] = numbersIn(path);
        return [from - (from - control) / 2, dot.x - 5.5];
      });
      const lines = [
        ...arcs,
        ...[...layout.arcs, ...layout.brokenLinks].flatMap(({ arrow }) => numbersIn(arrow)),
      ];

      expect(layout.arcs.length).toBeGreaterThan(3);
      expect(layout.brokenLinks.length).toBeGreaterThan(3);
      for (const words of [
        long,
        text("leader · epoch 3", ["isolated from 4"]),
        text("follower · fetcher failed"),
      ]) {
        for (const row of layout.rows) {
          const { nameX, roleLines, roleIsTight, extra, files } = layoutGutter(row, words, layout);
          const inset = layout.detail === "names" ? 15 : 0;
          const ends = [
            ...roleLines.map(
              (part) =>
                nameX + inset + textWidth(part.text, inset > 0 ? 11.5 : roleIsTight ? 12 : 13),
            ),
            ...extra.map((part) => nameX + textWidth(part.text, 11.5)),
            ...(layout.axis.left > 200 ? [files.x + textWidth("▸ files", 12)] : []),
          ];
          expect(Math.max(...ends)).toBeLessThan(Math.min(...lines));
        }
      }
    },
  );

  it("leave no mark of the log between the rows", () => {
    const layout = layoutStage(stageRequest(busy([1, 2, 3])));
    const lines = layout.brokenLinks.flatMap(({ arrow }) => numbersIn(arrow));

    const flags = layout.rows.flatMap(({ highWatermark, water }) => [
      highWatermark?.flag.x ?? Infinity,
      water?.x ?? Infinity,
    ]);
    expect(Math.min(...flags)).toBeGreaterThan(Math.max(...lines));
  });

  it("make their row as tall as its lines, also those of a long role", () => {
    const role = "down since step 12, not detected";
    const layout = layoutStage(
      stageRequest(frameAt(repair, 1), {
        extraLines: (_, room) =>
          linesBelowName(text(role, ["fenced", long.extra[0]?.text ?? ""]), room, null),
        low: true,
      }),
    );

    for (const row of layout.rows) {
      const place = layoutGutter(row, text(role, ["fenced", long.extra[0]?.text ?? ""]), layout);
      expect(place.roleLines).toHaveLength(2);
      expect(place.lastY + 4).toBeLessThanOrEqual(row.y + row.height);
    }
  });

  it("keep the detail of a broker of a crowd before the part of its role that its crown also means", () => {
    const layout = layoutStage(stageRequest(busy(nine)));
    const words = { ...text("leader · epoch 3", ["isolated from 4"]), glyph: "crown" as const };

    expect(
      layoutGutter(layout.rows[0] as RowLayout, words, layout).roleLines.map((part) => part.text),
    ).toEqual(["epoch 3 · isolated from 4"]);
  });

  it("say of a broker of a crowd since when it is down, if there is no room for more", () => {
    const layout = layoutStage(stageRequest(busy(nine)));

    expect(
      layoutGutter(
        layout.rows[0] as RowLayout,
        text("down since step 6, not detected"),
        layout,
      ).roleLines.map((part) => part.text),
    ).toEqual(["down since step 6"]);
  });
});
