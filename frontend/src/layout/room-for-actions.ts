/** Where the actions on a row or on a link lie: never over a message and, apart from that, where they cover the least. */

import type { Frame } from "../trace";
import type { BrokenLinkLayout } from "./links-between-rows";
import { overlap, type Rectangle } from "./rectangle";
import type { RowLayout } from "./replica-row";
import { gutterRoom, messagesOf, NAME_X, type StageLayout } from "./stage";
import { takenRoom, type RoomRequest } from "./taken-room";

/** Between the actions and the edge of the stage, and between them and the cards on their right. */
const INSET = 16;
const BESIDE_CARDS = 8;
/** In less room than this, not even one action is in view. */
const LEAST_ROOM = 160;
/** How far the actions reach above their row on a phone, where they cover the broker's name instead of its records. */
const ABOVE_NARROW_ROW = 17;
/** The part of the actions' height that at least overlaps the row, so that a pointer can move to them. */
const TOUCHING = 4;
/** From the cross of a link to its actions, and how far up or down they may be. */
const BESIDE_CROSS = 14;
const FROM_CROSS = 60;
const STEP = 2;
/** A covered record counts for so much more than a covered label. */
const RECORDS = 4;
/** The texts beside a log: from the top of its cells, up and down. */
const NAME_ABOVE = 8;
const NAME_BELOW = 48;

export interface ActionsRequest {
  /** The columns with the rows; one if the partition has the whole stage. */
  readonly columns: readonly StageLayout[];
  /** The frame whose messages have cards. */
  readonly waiting: Frame;
  /** Of the bar of actions. */
  readonly size: { readonly width: number; readonly height: number };
  readonly withFiles: boolean;
  readonly beliefLabel: RoomRequest["beliefLabel"];
}

/** The top left corner of the bar of actions, and the most width that it takes: it scrolls. */
export interface ActionsPlace {
  readonly x: number;
  readonly y: number;
  readonly room: number;
}

/**
 * At the right edge of the stage or, if the messages leave no room there, beside their cards; of equally good places the
 * one nearest to the row's upper edge.
 */
export function rowActionsPlace(row: RowLayout, request: ActionsRequest): ActionsPlace {
  const { columns, size, withFiles } = request;
  const right = widthOf(columns) - INSET;
  // Beside another run a narrow row has no button for its files, so that there may be room below its log.
  const preferred =
    columns[0]?.narrow === true && withFiles ? row.y - ABOVE_NARROW_ROW : row.y - size.height / 2;
  const besideCards = Math.min(right, ...cardsOf(request).map(({ x }) => x - BESIDE_CARDS));
  const spans = [right, besideCards]
    .map((end) => ({ x: Math.max(INSET, end - size.width), room: end - INSET }))
    .filter(({ room }) => room >= LEAST_ROOM);
  return leastCovered(
    spans,
    { preferred, from: row.y - size.height + TOUCHING, to: row.y + row.height - TOUCHING },
    request,
  );
}

/** Beside the cross of a cut link. */
export function linkActionsPlace(
  { cross }: BrokenLinkLayout,
  request: ActionsRequest,
): ActionsPlace {
  const { columns, size } = request;
  const right = widthOf(columns) - INSET;
  const x = Math.max(INSET, Math.min(cross.x + BESIDE_CROSS, right - size.width));
  const preferred = cross.y - size.height / 2;
  return leastCovered(
    [{ x, room: right - INSET }],
    { preferred, from: preferred - FROM_CROSS, to: preferred + FROM_CROSS },
    request,
  );
}

interface Heights {
  readonly preferred: number;
  readonly from: number;
  readonly to: number;
}

function leastCovered(
  spans: readonly Omit<ActionsPlace, "y">[],
  { preferred, from, to }: Heights,
  request: ActionsRequest,
): ActionsPlace {
  const { size, columns } = request;
  const lowest = Math.min(to, (columns[0]?.height ?? 0) - size.height);
  const cards = cardsOf(request);
  const taken = takenBy(request);
  let best = {
    x: INSET,
    room: Infinity,
    ...spans[0],
    y: Math.max(0, Math.min(preferred, lowest)),
    onCards: Infinity,
    covered: Infinity,
    away: 0,
  };
  for (const { x, room } of spans) {
    for (let y = Math.max(0, from); y <= lowest; y += STEP) {
      const bar = { x, y, width: Math.min(size.width, room), height: size.height };
      const onCards = cards.reduce((area, card) => area + overlap(bar, card), 0);
      if (onCards > best.onCards) continue;
      const covered = taken.reduce(
        (area, { weight, ...label }) => area + weight * overlap(bar, label),
        0,
      );
      const away = Math.abs(y - preferred);
      if (
        onCards < best.onCards ||
        covered < best.covered ||
        (covered === best.covered && away < best.away)
      )
        best = { x, y, room, onCards, covered, away };
    }
    // The next place is only for what would otherwise cover a message.
    if (best.onCards === 0) break;
  }
  return { x: best.x, y: best.y, room: best.room };
}

function widthOf(columns: readonly StageLayout[]): number {
  return Math.max(...columns.map(({ width }) => width));
}

/** The rooms of the cards that are shown: a row without messages has none. */
function cardsOf({ columns, waiting }: ActionsRequest): Rectangle[] {
  return columns.flatMap(({ cards, partition, column }) => {
    const receivers = new Set(messagesOf(waiting, partition, column).map(({ to }) => to));
    return cards.filter(({ broker }) => receivers.has(broker));
  });
}

function takenBy({
  columns,
  withFiles,
  beliefLabel,
}: ActionsRequest): (Rectangle & { readonly weight: number })[] {
  return columns.flatMap((layout) => {
    const { axis, axisHeight, width, narrow, column, rows, cut } = layout;
    const labels: Rectangle[] = [
      { x: axis.left, y: 0, width: width - axis.left, height: axisHeight },
      ...(cut === null ? [] : [cut.label]),
    ];
    // On a phone the names are above the logs, among the room that rows take.
    if (!narrow && (column === null || column.first))
      labels.push(
        ...rows.map(({ cellY }) => ({
          x: NAME_X,
          y: cellY - NAME_ABOVE,
          width: gutterRoom(axis.left),
          height: NAME_ABOVE + NAME_BELOW,
        })),
      );
    return rows
      .flatMap((row) => {
        const [records, ...others] = takenRoom(row, { ...layout, withFiles, beliefLabel });
        return [
          ...(records === undefined ? [] : [{ ...records, weight: RECORDS }]),
          ...others.map((room) => ({ ...room, weight: 1 })),
        ];
      })
      .concat(labels.map((room) => ({ ...room, weight: 1 })));
  });
}
