import { describe, expect, it } from "vitest";

import type { Message } from "../trace";
import { layoutArcs } from "./links-between-rows";
import type { RowLayout } from "./replica-row";

const rows = [1, 2, 3].map(
  (broker, at) => ({ broker, cellY: 40 + at * 120, cellHeight: 40 }) as unknown as RowLayout,
);
const message = (id: number, from: Message["from"], to: Message["from"]): Message =>
  ({ id, from, to, parked: false, held: false }) as unknown as Message;
const startsOf = (messages: readonly Message[], gutter: number): number[] =>
  layoutArcs(messages, rows, gutter, 400).map(({ path }) => Number(/^M([\d.]+)/.exec(path)?.[1]));

describe("the arcs of messages", () => {
  it("that pass the same height never share a line", () => {
    const commands = [
      message(1, "controller", 1),
      message(2, 1, "controller"),
      message(3, "controller", 2),
      message(4, "controller", 3),
    ];

    for (const gutter of [180, 240]) {
      const starts = startsOf(commands, gutter);
      expect(new Set(starts).size).toBe(starts.length);
    }
  });

  it("use the lane next to the log again where nothing else passes", () => {
    const [first, second] = startsOf([message(1, 1, 2), message(2, 2, 3)], 240);

    expect(first).toBe(second);
  });
});
