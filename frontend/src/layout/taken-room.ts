/** The rectangles of a row's cells and texts, which a label must not cover. */

import { FLAG_BAND, stableRoom, type BeliefLabel, type BeliefLayout } from "./flag-band";
import type { OffsetAxis } from "./offset-axis";
import type { Rectangle } from "./rectangle";
import type { RowLayout } from "./replica-row";
import { LABEL_LINE, LABEL_SIZE, textWidth } from "./text";
import { TRANSACTION_LINE } from "./transactions";

/** The room of the number of offsets out of view. */
const HIDDEN_WIDTH = 104;
/** The room of the line below a log without epochs, in the language with the longest one. */
export const NO_EPOCHS_WIDTH = 160;
/** The room of the files button on a narrow stage. */
const FILES_WIDTH = 76;

/** What a leader knows of a follower's log end, with the triangle at its tip. */
export function beliefRoom(
  { brokers, offset, anchor, labelX, tipX, line, short }: BeliefLayout,
  cellY: number,
  beliefLabel: BeliefLabel,
): Rectangle {
  const text = textWidth(beliefLabel(brokers, offset, short), LABEL_SIZE);
  const x = anchor === "end" ? labelX - text : tipX - 5;
  return {
    x,
    y: cellY - 14 - line * LABEL_LINE,
    width: anchor === "end" ? text + 14 : labelX + text - x,
    height: 14,
  };
}

export interface RoomRequest {
  readonly axis: OffsetAxis;
  /** The stage's width. */
  readonly width: number;
  /** The name and the state of a broker are above its log. */
  readonly narrow: boolean;
  /** Checkpoint files can be opened. */
  readonly withFiles: boolean;
  readonly beliefLabel: BeliefLabel;
}

/** The room that a row's cells and texts take, except for the gutter next to the log. */
export function takenRoom(
  row: RowLayout,
  { axis, width, narrow, withFiles, beliefLabel }: RoomRequest,
): Rectangle[] {
  const { replica, cellY, cellHeight, epochY } = row;
  const taken: Rectangle[] = [
    {
      x: axis.left,
      y: cellY - 2,
      width: (axis.last - axis.first + 1) * axis.pitch,
      height: cellHeight + 9,
    },
  ];
  const add = (x: number, y: number, wide: number, height: number) =>
    taken.push({ x, y, width: wide, height });
  if (narrow) {
    const highest = Math.max(0, ...row.beliefs.map(({ line }) => line));
    add(0, row.y + 5, width, Math.max(20, cellY - FLAG_BAND - highest * LABEL_LINE - row.y - 7));
    if (withFiles)
      add(
        width - FILES_WIDTH,
        cellY + cellHeight + 18 + row.filesLine * LABEL_LINE,
        FILES_WIDTH,
        16,
      );
  }
  if (row.highWatermark !== null) taken.push(row.highWatermark.flag);
  if (row.lastStable !== null) taken.push(stableRoom(row.lastStable, cellY));
  for (const belief of row.beliefs) taken.push(beliefRoom(belief, cellY, beliefLabel));
  if (row.hiddenBefore > 0) add(axis.left - 6, cellY - 20, HIDDEN_WIDTH, 14);
  if (row.hiddenAfter > 0) add(width - HIDDEN_WIDTH, cellY - 20, HIDDEN_WIDTH, 14);
  for (const epoch of row.epochs) {
    add(epoch.from, epochY - 5, epoch.to - epoch.from, 7);
    add(epoch.labelX, epochY + 5 + epoch.line * LABEL_LINE, epoch.labelEnd - epoch.labelX, 13);
  }
  if (row.withEpochs && replica !== null && (replica.epoch_cache ?? []).length === 0)
    add(axis.left, epochY - 1, NO_EPOCHS_WIDTH, 14);
  for (const transaction of row.transactions)
    add(
      transaction.from,
      row.transactionsY + transaction.line * TRANSACTION_LINE,
      transaction.room,
      TRANSACTION_LINE,
    );
  return taken;
}
