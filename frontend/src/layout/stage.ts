/**
 * Computes positions from a frame and a size: the rows of one partition, the messages between them,
 * the truncation.
 */

import type { BeliefLabel } from "./flag-band";
import type { Frame, Message, TraceEvent } from "../trace";
import { offsetsOfInterest, type Fold } from "./folding";
import {
  layoutArcs,
  layoutBrokenLinks,
  linesRoom,
  type ArcLayout,
  type BrokenLinkLayout,
} from "./links-between-rows";
import { layoutOffsetAxis, offsetRange, type OffsetAxis } from "./offset-axis";
import { layoutReplicaRow, type RowLayout } from "./replica-row";
import type { Shared } from "./side-by-side";
import { AROUND_STRIP, gapBelowLog, stripHeight } from "./room-for-cards";
import { takenRoom } from "./taken-room";
import { layoutCut, STRIP_HEIGHT, type CutLayout } from "./truncation-line";

export const AXIS_HEIGHT = 34;
const AXIS_HEIGHT_NAMES = 27;
const GUTTER = 244;
const GUTTER_DENSE = 190;
/** Room for a name and a crown. */
const GUTTER_NAMES = 122;
const NARROW_BELOW = 640;
const NARROW_BELOW_DENSE = 520;
const NARROW_PADDING = 14;
const SIDE_CARDS = 304;
const FILES_BUTTON = 70;
const BELOW_CARD = 4;
/** The part of a row that wide cells may fill; the rest is for message cards. */
const WIDE_SHARE = 0.55;
const CELL_HEIGHT = 42;
const CELL_HEIGHT_DENSE = 38;
const CELL_HEIGHT_NAMES = 26;
/** How much taller rows may be than the least that they need: 144 px, usually. */
export const MOST_TALLER = 24;
/** In front of a class: large cells, and no more beside them than a name. */
const PRESENTED = { gutter: 138, cellWidth: 200, cellHeight: 58, cellHeightNames: 36 };
/** From this number of brokers on, rows are lower, and from this on, they are only as tall as their log. */
const MANY_BROKERS = 5;
const CROWD = 6;
const CELL_HEIGHT_LOW = 32;
const CELL_HEIGHT_CROWD = 30;
/** From this number of brokers on, the rows of two stages next to each other are lower. */
const MANY_BESIDE = 4;
const BAND_Y_BESIDE = 23;
/** Beside the log of a crowd, and the places that the log needs beside it. */
const SIDE_CARDS_CROWD = 250;
const PLACES_BESIDE = 8;
/** From the cells to the brackets of their epochs. */
const TO_EPOCHS = 18;
const TO_EPOCHS_LOW = 12;
/** From the edge of a column to its cells. */
const COLUMN_PADDING = 16;
/** Where the texts of a gutter begin, and what at least is between them and the log. */
export const NAME_X = 20;
const BEFORE_LOG = 10;
/** On a phone, the row of a broker without a replica: its name, and the line below it. */
const BARE_ROW = 40;
const EXTRA_LINE = 20;
/** The height of a card and its distance from the next one, and the number of cards that a row shows before they scroll. */
const CARD_HEIGHT = 59;
const CARDS_SHOWN = 2;

/** The maximum number of cells next to a card. */
const NEIGHBOURS = 40;

/** A complete row; a row without epochs; or only the log next to its broker's name. */
export type RowDetail = "all" | "withoutEpochs" | "names";

export interface StageRequest {
  readonly frame: Frame;
  readonly previous: Frame | null;
  /** The frame whose messages are shown; omitted: the same frame. */
  readonly waiting?: Frame;
  readonly partition: string;
  readonly width: number;
  /** The place that the user scrolled to, if the opened folds do not fit. */
  readonly scrolledTo: number | null;
  /** The offset that the user is looking at, which takes precedence; omitted: none. */
  readonly looksAt?: number | null;
  /** The folds that the user has opened. */
  readonly opened: readonly Fold[];
  /** Whether messages have cards in their receiver's row. */
  readonly cards: boolean;
  /** Rows are only as tall as their contents. */
  readonly dense: boolean;
  /** The parts that rows omit if height is short; omitted: none. */
  readonly detail?: RowDetail;
  /** Whether the offsets are above the logs; omitted: they are. */
  readonly withOffsets?: boolean;
  /** Cells are large and fill the width, to be read from afar; omitted: they are not. */
  readonly presented?: boolean;
  /** Rows are lower, so that there is room for what is below the stage; omitted: they are not. */
  readonly low?: boolean;
  /** How much taller than otherwise rows are at least, if there is room left; omitted: not at all. */
  readonly taller?: number;
  /** The brokers in the order that their rows keep; omitted: that of the frame's assignment. */
  readonly order?: readonly number[] | undefined;
  /** The brokers with a row, if there is no room for all. */
  readonly brokers?: readonly number[];
  /** What it shares with the stage next to it; omitted: there is none. */
  readonly shared?: Shared;
  /** Brokers whose checkpoint files are open below their logs. */
  readonly filesOpen: ReadonlySet<number>;
  /** The number of lines of this width in the gutter below name, role and ISR state. */
  readonly extraLines: (broker: number, room: number) => number;
  readonly beliefLabel: BeliefLabel;
  /** Null: the labels of epochs are only numbers. */
  readonly epochLabel: ((epoch: number, start: number) => string) | null;
  /** The label of the offset to which a log is truncated, and a shorter one for less room. */
  readonly cutLabels: (event: TraceEvent) => readonly [string, string];
  /** The column of this partition, if several are side by side; omitted: it has the whole stage. */
  readonly column?: ColumnRequest;
}

/** The place of a partition that shares the stage with others. */
export interface ColumnPlace {
  /** The left edge of the column; the right edge is the layout's width. */
  readonly from: number;
  /** All partitions on the stage, from left to right. */
  readonly partitions: readonly string[];
  /**
   * The first column has what is drawn once: the names of the brokers, the lines between the rows,
   * and the cards of messages about no single partition.
   */
  readonly first: boolean;
}

export interface ColumnRequest extends ColumnPlace {
  readonly to: number;
}

export interface CardsLayout {
  readonly broker: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Beside the log, or in a strip below it. */
  readonly place: "side" | "below";
}

export interface StageLayout {
  readonly partition: string;
  /** The right edge. */
  readonly width: number;
  /** Null if the partition has the whole stage. */
  readonly column: ColumnPlace | null;
  readonly height: number;
  readonly narrow: boolean;
  /** Rows are low, with less space between the lines of a gutter. */
  readonly low: boolean;
  readonly detail: RowDetail;
  readonly axis: OffsetAxis;
  readonly axisHeight: number;
  readonly rows: readonly RowLayout[];
  readonly arcs: readonly ArcLayout[];
  readonly brokenLinks: readonly BrokenLinkLayout[];
  readonly cut: CutLayout | null;
  readonly cards: readonly CardsLayout[];
}

/**
 * The brokers with a row: the replicas of the only partition in order; otherwise every broker, so
 * that rows keep their positions. `order` is the assignment at the start of the run: if it is
 * changed, the rows stay where they are, and new replicas follow.
 */
export function brokersOf(
  frame: Frame,
  partition: string,
  order: readonly number[] = [],
): number[] {
  const all = Object.keys(frame.state.brokers)
    .map(Number)
    .sort((a, b) => a - b);
  const withLog = Object.keys(frame.state.replicas[partition] ?? {}).map(Number);
  if (Object.keys(frame.state.partitions).length > 1) return all;
  const assigned = frame.state.partitions[partition]?.replicas ?? [];
  const others = withLog.filter((broker) => !assigned.includes(broker)).sort((a, b) => a - b);
  const here = [...assigned, ...others];
  const kept = order.filter((broker) => here.includes(broker));
  return [...kept, ...here.filter((broker) => !kept.includes(broker))];
}

/** The width of the texts in a gutter that ends here: they leave the lines between the rows their band, whether or not there are any. */
export function gutterRoom(left: number): number {
  return left - NAME_X - Math.max(BEFORE_LOG, linesRoom(left));
}

/** If a truncation's label has no free place, the rows are moved apart for it. */
export function layoutStage(request: StageRequest): StageLayout {
  const layout = layoutRows(request, null);
  const apart = layout.cut?.needsStrip ?? null;
  return apart === null ? layout : layoutRows(request, apart);
}

function layoutRows(request: StageRequest, apart: number | null): StageLayout {
  const { frame, partition } = request;
  const column = request.column ?? null;
  const once = column === null || column.first;
  const width = column?.to ?? request.width;
  const brokers = request.brokers ?? brokersOf(frame, partition, request.order);
  const onPage = !request.dense && request.width >= NARROW_BELOW;
  const crowd = onPage && request.detail === undefined && brokers.length >= CROWD;
  const detail = request.detail ?? (crowd ? "names" : "all");
  const namesOnly = detail === "names";
  const narrow = !namesOnly && request.width < (request.dense ? NARROW_BELOW_DENSE : NARROW_BELOW);
  const presented = request.presented === true;
  const left =
    column !== null
      ? column.from + COLUMN_PADDING
      : namesOnly && !crowd
        ? GUTTER_NAMES
        : presented
          ? PRESENTED.gutter
          : narrow
            ? NARROW_PADDING
            : request.dense && width < 760
              ? GUTTER_DENSE
              : GUTTER;
  const { lowest, highest } = request.shared?.range ?? offsetRange(frame, partition);

  // Cards are next to the log if that leaves its cells a comfortable width.
  const room = width - left - 16;
  const sideWidth = crowd ? SIDE_CARDS_CROWD : SIDE_CARDS;
  const places = highest - lowest + 1;
  const aside =
    column === null &&
    request.cards &&
    !narrow &&
    (crowd ? Math.min(places, PLACES_BESIDE) : places) * 60 <= room - sideWidth;
  const axis = layoutOffsetAxis({
    lowest,
    highest,
    left,
    width: aside ? room - sideWidth : room,
    wanted: [...around(request.looksAt ?? null), ...offsetsOfInterest(frame, partition)],
    opened: request.opened,
    scrolledTo: request.scrolledTo,
    wideRoom: presented
      ? room
      : request.dense || column !== null
        ? 0
        : narrow
          ? room
          : width * WIDE_SHARE,
    ...(presented ? { widest: PRESENTED.cellWidth } : {}),
  });

  const tight = request.shared !== undefined && narrow && brokers.length >= MANY_BESIDE;
  const many = (brokers.length >= MANY_BROKERS || column !== null) && !narrow;
  const low = tight || (onPage && (many || request.low === true));
  const taller = onPage && !crowd ? (request.taller ?? 0) : 0;
  const bandY =
    Math.floor(taller / 2) +
    (tight
      ? BAND_Y_BESIDE
      : crowd
        ? 0
        : namesOnly
          ? 2
          : narrow
            ? request.dense
              ? 40
              : 24
            : request.dense
              ? 8
              : request.low === true
                ? 2
                : many
                  ? 6
                  : 12);
  const cellHeight = presented
    ? namesOnly
      ? PRESENTED.cellHeightNames
      : PRESENTED.cellHeight
    : crowd
      ? CELL_HEIGHT_CROWD
      : namesOnly
        ? CELL_HEIGHT_NAMES
        : (request.dense || narrow) && !tight
          ? CELL_HEIGHT_DENSE
          : low
            ? CELL_HEIGHT_LOW
            : CELL_HEIGHT;
  const toEpochs = low ? TO_EPOCHS_LOW : TO_EPOCHS;
  // On a phone the name is directly above the band, with some space.
  const roomAbove = narrow ? (request.dense && !tight ? 4 : -3) : bandY - 2;
  const minimum =
    taller +
    (request.dense || crowd ? 0 : narrow ? 104 : request.low === true ? 90 : many ? 98 : 120);
  const inbox = new Map<Message["from"], number>();
  const waitingMessages = messagesOf(request.waiting ?? frame, partition, column);
  for (const message of waitingMessages) inbox.set(message.to, (inbox.get(message.to) ?? 0) + 1);
  const rows: RowLayout[] = [];
  const cards: CardsLayout[] = [];
  const axisHeight =
    request.withOffsets === false ? 0 : namesOnly ? AXIS_HEIGHT_NAMES : AXIS_HEIGHT;
  let y = axisHeight;
  let stripY: number | null = null;
  for (const broker of brokers) {
    const shared = request.shared?.rows.get(broker);
    if (broker === apart) stripY = y;
    y += Math.max(broker === apart ? STRIP_HEIGHT : 0, shared?.gap ?? 0);
    const extra = once
      ? request.extraLines(broker, narrow ? width - 2 * NARROW_PADDING : gutterRoom(left))
      : 0;
    const waiting = inbox.get(broker) ?? 0;
    // On a phone they are on one line below the name.
    const rowBandY =
      (narrow && extra > 0 ? bandY + (request.dense ? 28 : 24) : bandY) + (shared?.lower ?? 0);
    const filesX = narrow && request.cards ? width - FILES_BUTTON : null;
    const row = layoutReplicaRow({
      ...request,
      width,
      withEpochs: detail === "all",
      withBeliefs: !namesOnly || crowd,
      toEpochs,
      broker,
      axis,
      y,
      height: minimum,
      cellHeight,
      bandY: rowBandY,
      roomAbove,
      filesX,
    });
    // Cards beside the labels of the epochs take no room; otherwise they have a strip of their own.
    const band = {
      left: narrow ? NARROW_PADDING : left,
      right: width - 16,
      cards: waiting,
      low,
      inColumn: column !== null,
    };
    const gap = request.cards && !aside && !narrow ? gapBelowLog(row, band) : null;
    const cardStrip =
      request.cards && !aside && gap === null && waiting > 0 ? stripHeight(band) : 0;
    const files = request.filesOpen.has(broker) && row.replica !== null ? 74 : 0;
    // The line of a cut link and its label are between two rows.
    const content =
      row.below -
      y +
      (crowd
        ? 0
        : detail !== "all"
          ? 2
          : request.dense && !narrow
            ? 18
            : narrow && !request.dense
              ? 0
              : request.dense
                ? tight
                  ? 3
                  : 8
                : low
                  ? 0
                  : 4);
    const gutter =
      narrow || (namesOnly && column === null) || !once
        ? 0
        : row.cellY - y + (low ? 45 : 62) + extra * (low ? 14 : 15);
    const cardsHeight =
      aside && waiting > 1 ? (low || crowd ? 1 : CARDS_SHOWN) * CARD_HEIGHT + 2 : 0;
    // On a phone nothing is below the name of a broker without a replica.
    const bare = narrow && row.replica === null;
    const height = bare
      ? Math.max((extra > 0 ? BARE_ROW + EXTRA_LINE : BARE_ROW) + cardStrip, shared?.height ?? 0)
      : Math.max(
          Math.max(
            minimum,
            content + cardStrip,
            waiting > 0 && gap !== null ? gap.y + gap.height + BELOW_CARD - y : 0,
            gutter,
            cardsHeight,
          ) + files,
          shared?.height ?? 0,
        );
    rows.push({ ...row, height });
    if (request.cards) {
      cards.push(
        aside
          ? {
              broker,
              place: "side",
              x: width - sideWidth,
              y: y + 5,
              width: sideWidth - 16,
              height: height - files - 10,
            }
          : gap !== null
            ? { broker, place: "below", ...gap }
            : {
                broker,
                place: "below",
                x: narrow ? NARROW_PADDING : left,
                y: y + height - files - cardStrip + 2,
                width: room,
                height: cardStrip - AROUND_STRIP,
              },
      );
    }
    y += height;
  }

  // Without room between a name and its log, messages would cross the name.
  const unlinked = narrow || presented || (namesOnly && !crowd) || !once;
  return {
    partition,
    width,
    column:
      column === null
        ? null
        : { from: column.from, partitions: column.partitions, first: column.first },
    height: y,
    narrow,
    low,
    detail,
    axis,
    axisHeight,
    rows: rows.map((row) => withOrigins(row, rows, y)),
    arcs: unlinked
      ? []
      : layoutArcs(
          column === null
            ? waitingMessages
            : messagesBetween(request.waiting ?? frame, column.partitions),
          rows,
          left,
          y,
        ),
    brokenLinks: unlinked ? [] : layoutBrokenLinks(frame, rows, left, y),
    cut: layoutCut({
      frame,
      partition,
      axis,
      rows,
      width,
      narrow,
      left: left - (narrow ? 8 : 6),
      stripY,
      cutLabels: request.cutLabels,
      taken: () => [
        ...rows.flatMap((row) =>
          takenRoom(row, { ...request, width, axis, narrow, withFiles: request.cards }),
        ),
        ...cards.filter(({ broker }) => inbox.has(broker)),
      ],
    }),
    cards,
  };
}

/** An offset and its neighbours, the nearest first; more than needed. */
function around(offset: number | null): number[] {
  if (offset === null) return [];
  return [
    offset,
    ...Array.from({ length: NEIGHBOURS }, (_, index) => [
      offset + index + 1,
      offset - index - 1,
    ]).flat(),
  ];
}

/**
 * The messages that concern a partition: its own, and those of whole brokers. Of several columns,
 * only the first has the latter.
 */
export function messagesOf(frame: Frame, partition: string, column: ColumnPlace | null): Message[] {
  const ofBrokers = column === null || column.first;
  return frame.state.in_flight.filter((message) =>
    message.partition === null ? ofBrokers : message.partition === partition,
  );
}

function messagesBetween(frame: Frame, partitions: readonly string[]): Message[] {
  return frame.state.in_flight.filter(
    (message) => message.partition === null || partitions.includes(message.partition),
  );
}

/**
 * The origin of newly arrived records: a follower's come from the leader's row, a leader's from the
 * producers below.
 */
function withOrigins(row: RowLayout, rows: readonly RowLayout[], bottom: number): RowLayout {
  if (row.cells.every((cell) => cell.arrivedFrom === null)) return row;
  const leader =
    row.replica?.role === "follower"
      ? rows.find((other) => other.broker === row.replica?.leader)
      : undefined;
  const from = (leader === undefined ? bottom : leader.cellY) - row.cellY;
  return {
    ...row,
    cells: row.cells.map((cell) =>
      cell.arrivedFrom === null ? cell : { ...cell, arrivedFrom: from },
    ),
  };
}
