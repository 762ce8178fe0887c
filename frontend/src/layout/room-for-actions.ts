/** Where a broker's actions lie over the rows: where they cover the least. */

import { overlap, type Rectangle } from "./rectangle";
import type { RowLayout } from "./replica-row";
import type { StageLayout } from "./stage";
import { takenRoom, type RoomRequest } from "./taken-room";

/** How far the actions reach above their row on a phone, where they cover the broker's name instead of its records. */
const ABOVE_NARROW_ROW = 17;
/** The part of the actions' height that at least overlaps the row, so that a pointer can move to them. */
const TOUCHING = 4;
const STEP = 2;
/** A covered record counts for so much more than a covered label. */
const RECORDS = 4;

export interface ActionsRequest {
  readonly row: RowLayout;
  /** The columns with the row; one if the partition has the whole stage. */
  readonly columns: readonly StageLayout[];
  /** The brokers that have messages, and so cards. */
  readonly waiting: ReadonlySet<number>;
  /** Of the bar of actions. */
  readonly size: { readonly width: number; readonly height: number };
  /** Between the bar and the right edge. */
  readonly inset: number;
  readonly withFiles: boolean;
  readonly beliefLabel: RoomRequest["beliefLabel"];
}

/** The top of the bar of actions, at the right edge of the stage; of equally good places the one nearest to the row's upper edge. */
export function actionsTop({ row, columns, waiting, size, inset, withFiles, beliefLabel }: ActionsRequest): number {
  const first = columns[0];
  // Beside another run a narrow row has no button for its files, so that there may be room below its log.
  if (first === undefined || (first.narrow && withFiles)) return row.y - ABOVE_NARROW_ROW;
  const right = Math.max(...columns.map(({ width }) => width)) - inset;
  const taken = columns.flatMap((layout) => takenBy(layout, waiting, withFiles, beliefLabel));
  const coveredAt = (y: number) => {
    const bar = { x: right - size.width, y, width: size.width, height: size.height };
    return taken.reduce((area, { weight, ...room }) => area + weight * overlap(bar, room), 0);
  };
  const preferred = row.y - size.height / 2;
  const lowest = Math.min(row.y + row.height - TOUCHING, first.height - size.height);
  let best = { y: Math.max(0, Math.min(preferred, lowest)), area: Infinity };
  for (let y = Math.max(0, row.y - size.height + TOUCHING); y <= lowest; y += STEP) {
    const area = coveredAt(y);
    if (area < best.area || (area === best.area && Math.abs(y - preferred) < Math.abs(best.y - preferred))) best = { y, area };
  }
  return best.y;
}

function takenBy(layout: StageLayout, waiting: ReadonlySet<number>, withFiles: boolean, beliefLabel: RoomRequest["beliefLabel"]): (Rectangle & { readonly weight: number })[] {
  const { axis, axisHeight, width, narrow, rows, cards, cut } = layout;
  const labels: Rectangle[] = [{ x: axis.left, y: 0, width: width - axis.left, height: axisHeight }, ...cards.filter(({ broker }) => waiting.has(broker)), ...(cut === null ? [] : [cut.label])];
  const taken = labels.map((room) => ({ ...room, weight: 1 }));
  for (const row of rows) {
    const [records, ...others] = takenRoom(row, { axis, width, narrow, withFiles, beliefLabel });
    if (records !== undefined) taken.push({ ...records, weight: RECORDS });
    taken.push(...others.map((room) => ({ ...room, weight: 1 })));
  }
  return taken;
}
