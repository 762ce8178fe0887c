import { describe, expect, it } from "vitest";

import type { Message } from "../trace";
import { frameAt, repair } from "../trace/fixtures";
import { overlaps } from "./rectangle";
import type { RowLayout } from "./replica-row";
import { rowActionsPlace } from "./room-for-actions";
import { layoutStage } from "./stage";
import { stageRequest } from "./stage-request-fixture";
import { takenRoom } from "./taken-room";

const SIZE = { width: 320, height: 30 };

function placedFor(broker: number, at: number, width: number) {
  const request = stageRequest(frameAt(repair, at), { width });
  const layout = layoutStage(request);
  const row = layout.rows.find((one) => one.broker === broker);
  if (row === undefined) throw new Error(`no row of broker ${broker}`);
  const bar = {
    ...rowActionsPlace(row, {
      columns: [layout],
      waiting: request.frame,
      size: SIZE,
      withFiles: true,
      beliefLabel: request.beliefLabel,
    }),
    ...SIZE,
  };
  const taken = layout.rows.flatMap((one) =>
    takenRoom(one, {
      axis: layout.axis,
      width,
      narrow: layout.narrow,
      withFiles: true,
      beliefLabel: request.beliefLabel,
    }),
  );
  return {
    layout,
    row,
    bar,
    taken: [...taken, ...(layout.cut === null ? [] : [layout.cut.label])],
  };
}

describe("the actions on a row", () => {
  it.each([1, 2, 3])(
    "cover no record and no label while there is room beside them, broker %i",
    (broker) => {
      const { bar, taken, row } = placedFor(broker, 2, 1440);

      expect(taken.filter((room) => overlaps(bar, room))).toEqual([]);
      expect(bar.y).toBeGreaterThan(row.y - SIZE.height);
      expect(bar.y).toBeLessThan(row.y + row.height);
    },
  );

  it("cover no record where the log is as wide as the stage", () => {
    const { bar, layout } = placedFor(1, 2, 700);

    for (const { cells, cellY, cellHeight } of layout.rows) {
      for (const { x } of cells)
        expect(overlaps(bar, { x, y: cellY, width: layout.axis.pitch, height: cellHeight })).toBe(
          false,
        );
    }
  });

  it.each([1, 2, 3])(
    "cover neither a record, nor the offsets, nor the name of their broker beside another run, broker %i",
    (broker) => {
      const request = stageRequest(frameAt(repair, 2), { width: 500, dense: true, cards: false });
      const layout = layoutStage(request);
      const size = { width: 460, height: 32 };
      const row = layout.rows.find((one) => one.broker === broker) as RowLayout;
      const bar = {
        ...rowActionsPlace(row, {
          columns: [layout],
          waiting: request.frame,
          size,
          withFiles: false,
          beliefLabel: request.beliefLabel,
        }),
        ...size,
      };

      expect(layout.narrow).toBe(true);
      expect(bar.y).toBeGreaterThanOrEqual(layout.axisHeight);
      expect(overlaps(bar, { x: 0, y: row.y + 6, width: 80, height: 18 })).toBe(false);
      for (const { cells, cellY, cellHeight } of layout.rows) {
        for (const { x } of cells)
          expect(overlaps(bar, { x, y: cellY, width: layout.axis.pitch, height: cellHeight })).toBe(
            false,
          );
      }
    },
  );

  it("stay on the stage for the first and the last row", () => {
    for (const broker of [1, 2, 3]) {
      const { bar, layout } = placedFor(broker, 1, 992);
      expect(bar.y).toBeGreaterThanOrEqual(0);
      expect(bar.y + bar.height).toBeLessThanOrEqual(layout.height);
    }
  });

  it.each([
    [1408, 467],
    [992, 467],
    [768, 467],
    [768, 720],
    [650, 467],
    [390, 358],
  ])("cover no message, in a stage of %i px", (stageWidth, width) => {
    const start = frameAt(repair, 2);
    const message = {
      kind: "fetch_response",
      partition: "t-0",
      held: true,
      parked: false,
      deliverable: false,
      numbers: {},
    } as unknown as Message;
    const inFlight = (receivers: readonly number[]) =>
      receivers.map((to, index) => ({
        ...message,
        id: index,
        to,
        from: 1 + (to % 3),
      })) as Message[];
    for (const receivers of [[1], [2], [1, 2, 3], [1, 1, 2, 2, 3, 3], [1, 1, 1, 1, 1, 3]]) {
      const frame = { ...start, state: { ...start.state, in_flight: inFlight(receivers) } };
      for (const taller of [0, 24]) {
        const request = stageRequest(frame, { width: stageWidth, taller });
        const layout = layoutStage(request);
        const cards = layout.cards.filter(({ broker }) => receivers.includes(broker));
        for (const row of layout.rows) {
          for (const height of [30, 42]) {
            const place = rowActionsPlace(row, {
              columns: [layout],
              waiting: frame,
              size: { width, height },
              withFiles: true,
              beliefLabel: request.beliefLabel,
            });
            const bar = { ...place, width: Math.min(width, place.room), height };

            expect(
              cards.filter((card) => overlaps(bar, card)),
              `row ${row.broker}, messages to ${receivers}`,
            ).toEqual([]);
            expect(bar.x).toBeGreaterThanOrEqual(16);
            expect(bar.x + bar.width).toBeLessThanOrEqual(stageWidth - 16);
            // A pointer can move from the row to them.
            expect(bar.y + height).toBeGreaterThan(row.y);
            expect(bar.y).toBeLessThan(row.y + row.height);
          }
        }
      }
    }
  });
});
