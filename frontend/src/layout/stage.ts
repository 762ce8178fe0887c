/**
 * Computes positions from a frame and a size: the rows of one partition, the messages between them,
 * the truncation.
 */

import type { BeliefLabel } from "./flag-band";
import type { Frame, Message, TraceEvent } from "../trace";
import { measuresOf, NARROW_PADDING } from "./forms";
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

const FILES_BUTTON = 70;
const BELOW_CARD = 4;
/** The part of a row that wide cells may fill; the rest is for message cards. */
const WIDE_SHARE = 0.55;
/** How much taller rows may be than the least that they need: 144 px, usually. */
export const MOST_TALLER = 24;
/** From the edge of a column to its cells. */
const COLUMN_PADDING = 16;
/** Where the texts of a gutter begin, and what at least is between them and the log. */
export const NAME_X = 20;
const BEFORE_LOG = 10;
/** On a phone, the row of a broker without a replica: its name, and the line below it. */
const BARE_ROW = 40;
const EXTRA_LINE = 20;
/** A place of the log beside cards; the height of a card and its distance from the next one; and that of open files. */
const PLACE_BESIDE = 60;
const CARD_HEIGHT = 59;
const FILES_HEIGHT = 74;
/** Below the contents of a row without epochs. */
const BELOW_WITHOUT_EPOCHS = 2;
/** Right of the log. */
const AFTER_LOG = 16;

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
  const form = measuresOf(request, brokers.length);
  const { narrow, low } = form;
  const detail = request.detail ?? (form.namesOnly ? "names" : "all");
  const left = column === null ? form.gutter : column.from + COLUMN_PADDING;
  const { lowest, highest } = request.shared?.range ?? offsetRange(frame, partition);

  // Cards are next to the log if that leaves its cells a comfortable width.
  const room = width - left - AFTER_LOG;
  const places = Math.min(highest - lowest + 1, form.placesBeside);
  const hasRoomBeside = places * PLACE_BESIDE <= room - form.sideCards;
  const aside = column === null && request.cards && !narrow && hasRoomBeside;
  const wideRoom = { log: room, part: width * WIDE_SHARE, none: 0 }[form.wide];
  const axis = layoutOffsetAxis({
    lowest,
    highest,
    left,
    width: aside ? room - form.sideCards : room,
    wanted: [...around(request.looksAt ?? null), ...offsetsOfInterest(frame, partition)],
    opened: request.opened,
    scrolledTo: request.scrolledTo,
    wideRoom: column === null ? wideRoom : 0,
    ...(form.widest === null ? {} : { widest: form.widest }),
  });

  const taller = form.grows ? (request.taller ?? 0) : 0;
  const bandY = Math.floor(taller / 2) + form.bandY;
  const least = taller + form.least;
  const below = detail === "withoutEpochs" ? BELOW_WITHOUT_EPOCHS : form.below;
  const hasGutterTexts = once && !narrow && (column !== null || !form.namesOnly);
  const inbox = new Map<Message["from"], number>();
  const waitingMessages = messagesOf(request.waiting ?? frame, partition, column);
  for (const message of waitingMessages) inbox.set(message.to, (inbox.get(message.to) ?? 0) + 1);
  const rows: RowLayout[] = [];
  const cards: CardsLayout[] = [];
  const axisHeight = request.withOffsets === false ? 0 : form.axisHeight;
  let y = axisHeight;
  let stripY: number | null = null;
  for (const broker of brokers) {
    const shared = request.shared?.rows.get(broker);
    if (broker === apart) stripY = y;
    y += Math.max(broker === apart ? STRIP_HEIGHT : 0, shared?.gap ?? 0);
    const linesRoom = narrow ? width - 2 * NARROW_PADDING : gutterRoom(left);
    const extra = once ? request.extraLines(broker, linesRoom) : 0;
    const waiting = inbox.get(broker) ?? 0;
    const row = layoutReplicaRow({
      ...request,
      width,
      withEpochs: detail === "all",
      withBeliefs: form.withBeliefs,
      toEpochs: form.toEpochs,
      broker,
      axis,
      y,
      height: least,
      cellHeight: form.cellHeight,
      bandY: bandY + (extra > 0 ? form.lines : 0) + (shared?.lower ?? 0),
      roomAbove: form.roomAbove ?? bandY - 2,
      filesX: narrow && request.cards ? width - FILES_BUTTON : null,
    });
    // Cards beside the labels of the epochs take no room; otherwise they have a strip of their own.
    const band = {
      left: narrow ? NARROW_PADDING : left,
      right: width - AFTER_LOG,
      cards: waiting,
      low,
      inColumn: column !== null,
    };
    const gap = request.cards && !aside && !narrow ? gapBelowLog(row, band) : null;
    const cardStrip =
      request.cards && !aside && gap === null && waiting > 0 ? stripHeight(band) : 0;
    const files = request.filesOpen.has(broker) && row.replica !== null ? FILES_HEIGHT : 0;
    const contents = [
      least,
      row.below - y + below + cardStrip,
      waiting > 0 && gap !== null ? gap.y + gap.height + BELOW_CARD - y : 0,
      hasGutterTexts ? row.cellY - y + form.gutterTexts + extra * form.gutterLine : 0,
      aside && waiting > 1 ? form.cardsShown * CARD_HEIGHT + 2 : 0,
    ];
    // On a phone nothing is below the name of a broker without a replica.
    const bare = BARE_ROW + (extra > 0 ? EXTRA_LINE : 0) + cardStrip;
    const own = narrow && row.replica === null ? bare : Math.max(...contents) + files;
    const height = Math.max(own, shared?.height ?? 0);
    rows.push({ ...row, height });
    const side = {
      x: width - form.sideCards,
      y: y + 5,
      width: form.sideCards - 16,
      height: height - files - 10,
    };
    const strip = {
      x: band.left,
      y: y + height - files - cardStrip + 2,
      width: room,
      height: cardStrip - AROUND_STRIP,
    };
    if (request.cards && aside) cards.push({ broker, place: "side", ...side });
    else if (request.cards) cards.push({ broker, place: "below", ...(gap ?? strip) });
    y += height;
  }

  const linked = form.linked && once;
  const between = () =>
    column === null
      ? waitingMessages
      : messagesBetween(request.waiting ?? frame, column.partitions);
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
    arcs: linked ? layoutArcs(between(), rows, left, y) : [],
    brokenLinks: linked ? layoutBrokenLinks(frame, rows, left, y) : [],
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
