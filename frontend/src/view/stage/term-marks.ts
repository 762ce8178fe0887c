/** The terms that are drawn on the stage: the place of each, and what it means. */

import { cellX, foldsInView } from "../../layout/offset-axis";
import { overlaps, type Rectangle } from "../../layout/rectangle";
import type { RowLayout } from "../../layout/replica-row";
import type { StageLayout } from "../../layout/stage";
import { stableRoom } from "../../layout/flag-band";
import { beliefRoom } from "../../layout/taken-room";
import { LABEL_LINE, LABEL_SIZE, textWidth } from "../../layout/text";
import { TRANSACTION_LINE } from "../../layout/transactions";
import { termText, type Catalogue, type Frame, type Lang } from "../../trace";
import type { ExplainedMark } from "../terms";
import { brokerText, rowName } from "./broker-text";
import { layoutGutter, syncBox } from "./gutter-layout";
import { surroundingsOf, unseenLabel } from "./row-view";
import { beliefLabelIn, joined, word } from "./stage-texts";

export interface TermMark extends ExplainedMark {
  readonly key: string;
  readonly partition: string;
  readonly box: Rectangle;
  /** What is drawn there, with the broker's name, for screen readers. */
  readonly name: string;
  /** The pointer is for what is below it; otherwise that has a title of its own, which the meaning includes. */
  readonly through: boolean;
}

interface Drawn {
  readonly key: string;
  readonly term: string;
  readonly box: Rectangle;
  readonly name: string;
  readonly titled: boolean;
}
type PerhapsDrawn = Drawn | false;

function drawn(key: string, term: string, box: Rectangle, name: string, titled = false): Drawn {
  return { key, term, box, name, titled };
}

interface Context {
  readonly frame: Frame;
  readonly catalogue: Catalogue;
  readonly lang: Lang;
  readonly depthOf: (frame: number) => number;
}

/** The glyphs after a broker's name. */
const GLYPH = 18;

/** Row by row; a term without a text in the catalogue has none. */
export function termMarks(columns: readonly StageLayout[], context: Context): TermMark[] {
  const { catalogue, lang } = context;
  return columns.flatMap((layout) => {
    const { axis, partition } = layout;
    const folds = foldsInView(axis).map((fold): Rectangle => ({
      x: cellX(axis, fold.from),
      y: 0,
      width: axis.cellWidth,
      height: layout.height,
    }));
    return layout.rows.flatMap((row) =>
      drawnIn(row, layout, context).flatMap(({ key, term, box, name, titled }) => {
        const meaning = termText(catalogue, term, lang);
        if (meaning === null) return [];
        return {
          key: `${partition}/${row.broker}/${key}`,
          partition,
          box,
          name: joined(
            lang,
            [rowName(row.broker, { column: layout.column, lang, partition }), name],
            "colon",
          ),
          meaning: titled ? joined(lang, [name, meaning], "stop") : meaning,
          // What is next to it can be clicked: the broker's name above its ISR state, and records below the other marks of a log.
          above: key !== "sync" && box.y < row.cellY + row.cellHeight,
          through: !titled || folds.some((fold) => overlaps(fold, box)),
        };
      }),
    );
  });
}

function drawnIn(row: RowLayout, layout: StageLayout, context: Context): Drawn[] {
  const { replica } = row;
  if (replica === null) return [];
  const { lang } = context;
  return [
    ...besideLog(row, layout, context),
    ...atOffsets(row, lang),
    ...knownToLeader(row, layout, lang),
    ...belowLog(row, lang),
  ].filter((one) => one !== false);
}

/** At the broker's name; next to columns it is about several partitions. */
function besideLog(
  row: RowLayout,
  layout: StageLayout,
  { frame, lang, depthOf }: Context,
): PerhapsDrawn[] {
  const { partition, column } = layout;
  if (column !== null) return [];
  const text = brokerText(row.broker, { frame, partition, column, lang, depthOf });
  const place = layoutGutter(row, text, layout);
  const sync = syncBox(text, place, layout);
  const glyph = (after: number): Rectangle => ({
    x: place.nameEnd + after,
    y: place.nameY - 14,
    width: GLYPH,
    height: GLYPH,
  });
  return [
    text.glyph === "crown" && drawn("leader", "leader", glyph(0), word(lang, "leader")),
    text.preferred &&
      layout.detail !== "names" &&
      drawn(
        "preferred",
        "preferred leader",
        glyph(text.glyph === null ? 0 : 24),
        word(lang, "preferred"),
      ),
    text.sync !== null &&
      sync !== null &&
      drawn("sync", text.sync.filled ? "ISR" : "OSR", sync, text.sync.text),
  ];
}

function atOffsets(
  { highWatermark, lastStable, logEnd, wallX, cellY, cellHeight, replica }: RowLayout,
  lang: Lang,
): PerhapsDrawn[] {
  const wall = { y: cellY - 8, width: 10, height: cellHeight + 16 };
  const start = { offset: replica?.log_start_offset ?? 0 };
  const flag = highWatermark?.fromFile === true ? "highWatermarkFile" : "highWatermark";
  return [
    wallX !== null &&
      drawn("start", "log start offset", { x: wallX - 9, ...wall }, word(lang, "logStart", start)),
    highWatermark !== null &&
      drawn(
        "HW",
        "HW",
        highWatermark.flag,
        word(lang, flag, { offset: highWatermark.offset }),
        highWatermark.fromFile,
      ),
    lastStable !== null &&
      drawn(
        "LSO",
        "LSO",
        stableRoom(lastStable, cellY),
        word(lang, "lastStable", { offset: lastStable.offset }),
        true,
      ),
    logEnd !== null &&
      logEnd.slot !== null &&
      drawn("LEO", "LEO", logEnd.slot, word(lang, "logEnd", { offset: logEnd.offset })),
  ];
}

/** What a leader knows of its followers' logs. */
function knownToLeader(row: RowLayout, layout: StageLayout, lang: Lang): Drawn[] {
  const term = "remote log end offset";
  const label = beliefLabelIn(lang);
  const known = row.beliefs.map((belief) =>
    drawn(
      `known/${belief.offset}`,
      term,
      beliefRoom(belief, row.cellY, label),
      label(belief.brokers, belief.offset, false),
    ),
  );
  const unseen = unseenLabel(row, surroundingsOf(layout), lang);
  if (unseen === null) return known;
  const box = {
    x: row.unseenX,
    y: row.cellY + row.cellHeight / 2 - 8,
    width: textWidth(unseen, LABEL_SIZE),
    height: 16,
  };
  return [...known, drawn("unknown", term, box, word(lang, "notSeen", { brokers: row.unseen }))];
}

function belowLog(
  { flushed, unflushed, epochs, epochY, transactions, transactionsY, cellY, cellHeight }: RowLayout,
  lang: Lang,
): PerhapsDrawn[] {
  const bar = ({ from, to }: { readonly from: number; readonly to: number }): Rectangle => ({
    x: from,
    y: cellY + cellHeight + 1,
    width: to - from,
    height: 8,
  });
  return [
    flushed !== null && drawn("flushed", "flush", bar(flushed), word(lang, "flushed")),
    unflushed !== null && drawn("unflushed", "page cache", bar(unflushed), word(lang, "unflushed")),
    ...epochs.map(({ epoch, start, labelX, labelEnd, line }) => {
      // The first line of labels is right below its brackets.
      const [y, height] = line === 0 ? [-4, 23] : [4 + line * LABEL_LINE, LABEL_LINE];
      const box = { x: labelX, y: epochY + y, width: labelEnd - labelX, height };
      const name = word(lang, "epochFrom", { epoch, start });
      return drawn(`epoch/${epoch}/${start}`, "epoch vector", box, name);
    }),
    ...transactions.map(({ producer, outcome, first, last, from, to, line, room }) => {
      const open = outcome === "open";
      const text = word(lang, open ? "openTransaction" : "abortedTransaction");
      const width = Math.max(to - from, Math.min(room, textWidth(text, LABEL_SIZE) + 15));
      return drawn(
        `transaction/${producer}/${first}`,
        open ? "open transaction" : "aborted transaction",
        { x: from, y: transactionsY + line * TRANSACTION_LINE, width, height: 18 },
        word(lang, open ? "openTransactionOf" : "abortedTransactionOf", {
          producer,
          from: first,
          to: last,
        }),
        true,
      );
    }),
  ];
}
