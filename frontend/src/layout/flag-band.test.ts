import { describe, expect, it } from "vitest";

import type { Replica } from "../trace";
import { layoutFlagBand, type BeliefLabel } from "./flag-band";
import type { OffsetAxis } from "./offset-axis";
import { textWidth, LABEL_SIZE } from "./text";

const WIDTH = 320;
/** Two places of a log on a phone. */
const axis: OffsetAxis = {
  left: 14,
  cellWidth: 142,
  pitch: 145,
  first: 0,
  last: 1,
  lowest: 0,
  highest: 2,
  folds: [],
  hiddenPlaces: 0,
  shownPlaces: 2,
  places: 2,
};
const label: BeliefLabel = (brokers, offset, short) =>
  `LEO of ${short ? "" : "brokers "}${brokers.join(", ")} known: ${offset}`;

function leaderOf(ends: Readonly<Record<string, number>>): Replica {
  const followers = Object.fromEntries(
    Object.entries(ends).map(([broker, end]) => [broker, { log_end_offset: end }]),
  );
  return {
    role: "leader",
    high_watermark: 1,
    last_stable_offset: null,
    log_start_offset: 0,
    followers,
  } as unknown as Replica;
}

describe("what a leader knows of its followers, on a phone", () => {
  it.each([1, 0, 2])(
    "stays on the stage for the offset %i, if necessary with a short label",
    (offset) => {
      const { beliefs } = layoutFlagBand(
        { axis, width: WIDTH, roomAbove: 0, withBeliefs: true, beliefLabel: label },
        leaderOf({ 2: offset, 3: offset }),
        1,
      );

      for (const { brokers, short, anchor, labelX } of beliefs) {
        const width = textWidth(label(brokers, offset, short), LABEL_SIZE);
        const from = anchor === "end" ? labelX - width : labelX;
        expect(from).toBeGreaterThanOrEqual(0);
        expect(from + width).toBeLessThanOrEqual(WIDTH);
      }
      expect(beliefs).toHaveLength(1);
      expect(beliefs[0]?.line).toBeLessThan(4);
    },
  );

  it("is whole if there is room", () => {
    const { beliefs } = layoutFlagBand(
      {
        axis,
        width: WIDTH,
        roomAbove: 0,
        withBeliefs: true,
        beliefLabel: (brokers, offset, short) => label(brokers, offset, short).slice(0, 20),
      },
      leaderOf({ 2: 1, 3: 1 }),
      1,
    );

    expect(beliefs.map(({ short }) => short)).toEqual([false]);
  });
});
