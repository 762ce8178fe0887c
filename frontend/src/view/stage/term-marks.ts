/** The terms that are drawn on the stage: the place of each, and what it means. */

import { cellX, foldsInView } from "../../layout/offset-axis";
import { overlaps, type Rectangle } from "../../layout/rectangle";
import type { RowLayout } from "../../layout/replica-row";
import type { StageLayout } from "../../layout/stage";
import { beliefRoom, stableRoom } from "../../layout/taken-room";
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
  readonly titled?: boolean;
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
      drawnIn(row, layout, context).flatMap(({ key, term, box, name, titled = false }) => {
        const meaning = termText(catalogue, term, lang);
        if (meaning === null) return [];
        return {
          key: `${partition}/${String(row.broker)}/${key}`,
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
  ];
}

/** At the broker's name; next to columns it is about several partitions. */
function besideLog(
  row: RowLayout,
  layout: StageLayout,
  { frame, lang, depthOf }: Context,
): Drawn[] {
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
    ...(text.glyph === "crown"
      ? [{ key: "leader", term: "leader", box: glyph(0), name: word(lang, "leader") }]
      : []),
    ...(text.preferred && layout.detail !== "names"
      ? [
          {
            key: "preferred",
            term: "preferred leader",
            box: glyph(text.glyph === null ? 0 : 24),
            name: word(lang, "preferred"),
          },
        ]
      : []),
    ...(text.sync === null || sync === null
      ? []
      : [{ key: "sync", term: text.sync.filled ? "ISR" : "OSR", box: sync, name: text.sync.text }]),
  ];
}

function atOffsets(
  { highWatermark, lastStable, logEnd, wallX, cellY, cellHeight, replica }: RowLayout,
  lang: Lang,
): Drawn[] {
  const start = replica?.log_start_offset ?? 0;
  return [
    ...(wallX === null
      ? []
      : [
          {
            key: "start",
            term: "log start offset",
            box: { x: wallX - 9, y: cellY - 8, width: 10, height: cellHeight + 16 },
            name: word(lang, "logStart", { offset: start }),
          },
        ]),
    ...(highWatermark === null
      ? []
      : [
          {
            key: "HW",
            term: "HW",
            box: highWatermark.flag,
            name: word(lang, highWatermark.fromFile ? "highWatermarkFile" : "highWatermark", {
              offset: highWatermark.offset,
            }),
            titled: highWatermark.fromFile,
          },
        ]),
    ...(lastStable === null
      ? []
      : [
          {
            key: "LSO",
            term: "LSO",
            box: stableRoom(lastStable, cellY),
            name: word(lang, "lastStable", { offset: lastStable.offset }),
            titled: true,
          },
        ]),
    ...(logEnd === null || logEnd.slot === null
      ? []
      : [
          {
            key: "LEO",
            term: "LEO",
            box: logEnd.slot,
            name: word(lang, "logEnd", { offset: logEnd.offset }),
          },
        ]),
  ];
}

/** What a leader knows of its followers' logs. */
function knownToLeader(row: RowLayout, layout: StageLayout, lang: Lang): Drawn[] {
  const term = "remote log end offset";
  const label = beliefLabelIn(lang);
  const known = row.beliefs.map((belief): Drawn => ({
    key: `known/${String(belief.offset)}`,
    term,
    box: beliefRoom(belief, row.cellY, label),
    name: label(belief.brokers, belief.offset, false),
  }));
  const unseen = unseenLabel(row, surroundingsOf(layout), lang);
  if (unseen === null) return known;
  const name = word(lang, "notSeen", { brokers: row.unseen });
  return [
    ...known,
    {
      key: "unknown",
      term,
      box: {
        x: row.unseenX,
        y: row.cellY + row.cellHeight / 2 - 8,
        width: textWidth(unseen, LABEL_SIZE),
        height: 16,
      },
      name,
    },
  ];
}

function belowLog(
  { flushed, unflushed, epochs, epochY, transactions, transactionsY, cellY, cellHeight }: RowLayout,
  lang: Lang,
): Drawn[] {
  const bar = ({ from, to }: { readonly from: number; readonly to: number }): Rectangle => ({
    x: from,
    y: cellY + cellHeight + 1,
    width: to - from,
    height: 8,
  });
  return [
    ...(flushed === null
      ? []
      : [{ key: "flushed", term: "flush", box: bar(flushed), name: word(lang, "flushed") }]),
    ...(unflushed === null
      ? []
      : [
          {
            key: "unflushed",
            term: "page cache",
            box: bar(unflushed),
            name: word(lang, "unflushed"),
          },
        ]),
    ...epochs.map(({ epoch, start, labelX, labelEnd, line }) => ({
      key: `epoch/${String(epoch)}/${String(start)}`,
      term: "epoch vector",
      // The first line of labels is right below its brackets.
      box: {
        x: labelX,
        y: epochY + (line === 0 ? -4 : 4 + line * LABEL_LINE),
        width: labelEnd - labelX,
        height: line === 0 ? 23 : LABEL_LINE,
      },
      name: word(lang, "epochFrom", { epoch, start }),
    })),
    ...transactions.map((one) => {
      const open = one.outcome === "open";
      return {
        key: `transaction/${String(one.producer)}/${String(one.first)}`,
        term: open ? "open transaction" : "aborted transaction",
        box: {
          x: one.from,
          y: transactionsY + one.line * TRANSACTION_LINE,
          width: Math.max(
            one.to - one.from,
            Math.min(
              one.room,
              textWidth(word(lang, open ? "openTransaction" : "abortedTransaction"), LABEL_SIZE) +
                15,
            ),
          ),
          height: 18,
        },
        name: word(lang, open ? "openTransactionOf" : "abortedTransactionOf", {
          producer: one.producer,
          from: one.first,
          to: one.last,
        }),
        titled: true,
      };
    }),
  ];
}
