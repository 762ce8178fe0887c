import { describe, expect, it } from "vitest";

import { frameAt, repair } from "../trace/fixtures";
import { overlaps } from "./rectangle";
import type { RowLayout } from "./replica-row";
import { actionsTop } from "./room-for-actions";
import { layoutStage } from "./stage";
import { stageRequest } from "./stage-request-fixture";
import { takenRoom } from "./taken-room";

const SIZE = { width: 320, height: 30 };
const INSET = 16;

function placedFor(broker: number, at: number, width: number) {
  const request = stageRequest(frameAt(repair, at), { width });
  const layout = layoutStage(request);
  const row = layout.rows.find((one) => one.broker === broker);
  if (row === undefined) throw new Error(`no row of broker ${broker}`);
  const waiting = new Set(request.frame.state.in_flight.map(({ to }) => Number(to)));
  const top = actionsTop({ row, columns: [layout], waiting, size: SIZE, inset: INSET, withFiles: true, beliefLabel: request.beliefLabel });
  const bar = { x: width - INSET - SIZE.width, y: top, ...SIZE };
  const taken = layout.rows.flatMap((one) => takenRoom(one, { axis: layout.axis, width, narrow: layout.narrow, withFiles: true, beliefLabel: request.beliefLabel }));
  return { layout, row, bar, taken: [...taken, ...(layout.cut === null ? [] : [layout.cut.label])] };
}

describe("the actions on a row", () => {
  it.each([1, 2, 3])("cover no record and no label while there is room beside them, broker %i", (broker) => {
    const { bar, taken, row } = placedFor(broker, 2, 1440);

    expect(taken.filter((room) => overlaps(bar, room))).toEqual([]);
    expect(bar.y).toBeGreaterThan(row.y - SIZE.height);
    expect(bar.y).toBeLessThan(row.y + row.height);
  });

  it("cover no record where the log is as wide as the stage", () => {
    const { bar, layout } = placedFor(1, 2, 700);

    for (const { cells, cellY, cellHeight } of layout.rows) {
      for (const { x } of cells) expect(overlaps(bar, { x, y: cellY, width: layout.axis.pitch, height: cellHeight })).toBe(false);
    }
  });

  it.each([1, 2, 3])("cover neither a record, nor the offsets, nor the name of their broker beside another run, broker %i", (broker) => {
    const request = stageRequest(frameAt(repair, 2), { width: 500, dense: true, cards: false });
    const layout = layoutStage(request);
    const size = { width: 460, height: 32 };
    const row = layout.rows.find((one) => one.broker === broker) as RowLayout;
    const top = actionsTop({ row, columns: [layout], waiting: new Set(), size, inset: INSET, withFiles: false, beliefLabel: request.beliefLabel });
    const bar = { x: layout.width - INSET - size.width, y: top, ...size };

    expect(layout.narrow).toBe(true);
    expect(bar.y).toBeGreaterThanOrEqual(layout.axisHeight);
    expect(overlaps(bar, { x: 0, y: row.y + 6, width: 80, height: 18 })).toBe(false);
    for (const { cells, cellY, cellHeight } of layout.rows) {
      for (const { x } of cells) expect(overlaps(bar, { x, y: cellY, width: layout.axis.pitch, height: cellHeight })).toBe(false);
    }
  });

  it("stay on the stage for the first and the last row", () => {
    for (const broker of [1, 2, 3]) {
      const { bar, layout } = placedFor(broker, 1, 992);
      expect(bar.y).toBeGreaterThanOrEqual(0);
      expect(bar.y + bar.height).toBeLessThanOrEqual(layout.height);
    }
  });
});
