import { describe, expect, it } from "vitest";

import type { RowLayout } from "../../layout/replica-row";
import { layoutGutter, packedLines, roleLinesOf } from "./gutter-layout";
import type { GutterText } from "./row-text";

const lines = [
  { text: "paused", tone: "warn" as const },
  { text: "caught up 2 s ago", tone: "plain" as const },
  { text: "isolated from 1", tone: "bad" as const },
];

describe("the details of a broker", () => {
  it("share a line if it holds them, in the tone of the worst", () => {
    expect(packedLines(lines, 1000)).toEqual([{ text: "paused · caught up 2 s ago · isolated from 1", tone: "bad" }]);
    expect(packedLines(lines.slice(0, 2), 1000)).toEqual([{ text: "paused · caught up 2 s ago", tone: "warn" }]);
  });

  it("go on to the next line otherwise, none shortened", () => {
    expect(packedLines(lines, 160).map(({ text }) => text)).toEqual(["paused · caught up 2 s ago", "isolated from 1"]);
    expect(packedLines(lines, 10)).toEqual(lines);
    expect(packedLines([], 160)).toEqual([]);
  });
});

describe("the role on a phone", () => {
  const row = { y: 0, cellY: 50, cellHeight: 38, filesLine: 0 } as RowLayout;
  const sync = { text: "out of sync", tone: "warn" as const, filled: false };
  const text = (role: string, glyph: GutterText["glyph"]): GutterText => ({ name: "Broker 1", glyph, preferred: true, role: { text: role, tone: "plain" }, sync, extra: [] });
  const on = (width: number) => ({ narrow: true, low: false, width, axis: { left: 14 } as never, detail: "all" as const, column: null });

  it("is shortened before the ISR state becomes a glyph", () => {
    const leader = layoutGutter(row, text("leader · epoch 12", "crown"), on(300));
    const down = layoutGutter(row, text("down since step 3, not detected", "down"), on(370));

    expect([leader.roleLines.map((line) => line.text), leader.syncIsBrief]).toEqual([["epoch 12"], false]);
    expect([down.roleLines.map((line) => line.text), down.syncIsBrief]).toEqual([["down since step 3"], false]);
  });

  it("is whole if there is room, and if nothing shorter has room either", () => {
    expect(layoutGutter(row, text("leader · epoch 12", "crown"), on(420)).roleLines.map((line) => line.text)).toEqual(["leader · epoch 12"]);
    expect(layoutGutter(row, text("leader · epoch 12", "crown"), on(230)).syncIsBrief).toBe(true);
  });
});

describe("the roles of a broker", () => {
  const text = { name: "Broker 1", glyph: null, preferred: false, role: { text: "t-0 · t-1 leader · epoch 12", tone: "plain" as const }, sync: null, extra: [] };

  it("are broken between their parts, and inside them only if one is too long", () => {
    const linesAt = (room: number) => roleLinesOf(text, room).map((line) => line.text);

    expect(linesAt(1000)).toEqual(["t-0 · t-1 leader · epoch 12"]);
    expect(linesAt(120)).toEqual(["t-0 · t-1 leader", "epoch 12"]);
    expect(linesAt(60)).toEqual(["t-0", "t-1 leader", "epoch 12"]);
    expect(linesAt(40)).toEqual(["t-0", "t-1", "leader", "epoch", "12"]);
  });

  it("begin on a line of their own in each partition", () => {
    const both = { ...text, otherRoles: [{ text: "t-2 follower", tone: "plain" as const }] };

    expect(roleLinesOf(both, 1000).map((line) => line.text)).toEqual(["t-0 · t-1 leader · epoch 12", "t-2 follower"]);
  });
});
