/**
 * Computes positions from a frame and a size: the rows of one partition, the messages between them,
 * the truncation.
 */

import type { Frame, Message, TraceEvent } from "../trace";
import { offsetsOfInterest, type Fold } from "./folding";
import { layoutArcs, layoutBrokenLinks, type ArcLayout, type BrokenLinkLayout } from "./links-between-rows";
import { layoutOffsetAxis, offsetRange, type OffsetAxis } from "./offset-axis";
import { layoutReplicaRow, type RowLayout } from "./replica-row";
import { takenRoom } from "./taken-room";
import { layoutCut, STRIP_HEIGHT, type CutLayout } from "./truncation-line";

export const AXIS_HEIGHT = 34;
const AXIS_HEIGHT_NAMES = 27;
const GUTTER = 232;
const GUTTER_DENSE = 176;
/** Room for a name and a crown. */
const GUTTER_NAMES = 122;
const NARROW_BELOW = 640;
const NARROW_BELOW_DENSE = 520;
const NARROW_PADDING = 14;
const SIDE_CARDS = 304;
const FILES_BUTTON = 70;
/** The strip of cards below a log, and with room for a scroll bar below them. */
const STRIP = 40;
const STRIP_SCROLLED = 52;
/** The part of a row that wide cells may fill; the rest is for message cards. */
const WIDE_SHARE = 0.55;
const CELL_HEIGHT = 42;
const CELL_HEIGHT_DENSE = 38;
const CELL_HEIGHT_NAMES = 26;
/** From this number of brokers on, rows are lower. */
const MANY_BROKERS = 5;
const CELL_HEIGHT_MANY = 34;
/** The width of a card next to others, and the number of cards for which a row grows. */
const CARD_HEIGHT = 59;
const CARDS_SHOWN = 4;
const CARDS_SHOWN_MANY = 2;

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
  /** The brokers with a row, if there is no room for all. */
  readonly brokers?: readonly number[];
  /** Brokers whose checkpoint files are open below their logs. */
  readonly filesOpen: ReadonlySet<number>;
  /** The number of lines in the gutter below name, role and ISR state. */
  readonly extraLines: (broker: number) => number;
  readonly beliefLabel: (brokers: readonly number[], offset: number) => string;
  readonly epochLabel: (epoch: number, start: number) => string;
  /** The label of the offset to which a log is truncated, and a shorter one for less room. */
  readonly cutLabels: (event: TraceEvent) => readonly [string, string];
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
  readonly width: number;
  readonly height: number;
  readonly narrow: boolean;
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
 * that rows keep their positions.
 */
export function brokersOf(frame: Frame, partition: string): number[] {
  const all = Object.keys(frame.state.brokers).map(Number).sort((a, b) => a - b);
  const withLog = Object.keys(frame.state.replicas[partition] ?? {}).map(Number);
  if (Object.keys(frame.state.partitions).length > 1) return all;
  const assigned = frame.state.partitions[partition]?.replicas ?? [];
  const others = withLog.filter((broker) => !assigned.includes(broker)).sort((a, b) => a - b);
  return [...assigned, ...others];
}

/** If a truncation's label has no free place, the rows are moved apart for it. */
export function layoutStage(request: StageRequest): StageLayout {
  const layout = layoutRows(request, null);
  const apart = layout.cut?.needsStrip ?? null;
  return apart === null ? layout : layoutRows(request, apart);
}

function layoutRows(request: StageRequest, apart: number | null): StageLayout {
  const { frame, partition, width, detail = "all" } = request;
  const namesOnly = detail === "names";
  const narrow = !namesOnly && width < (request.dense ? NARROW_BELOW_DENSE : NARROW_BELOW);
  const left = namesOnly ? GUTTER_NAMES : narrow ? NARROW_PADDING : request.dense && width < 760 ? GUTTER_DENSE : GUTTER;
  const brokers = request.brokers ?? brokersOf(frame, partition);
  const { lowest, highest } = offsetRange(frame, partition);

  // Cards are next to the log if that leaves its cells a comfortable width.
  const room = width - left - 16;
  const aside = request.cards && !narrow && (highest - lowest + 1) * 60 <= room - SIDE_CARDS;
  const axis = layoutOffsetAxis({
    lowest,
    highest,
    left,
    width: aside ? room - SIDE_CARDS : room,
    wanted: [...around(request.looksAt ?? null), ...offsetsOfInterest(frame, partition)],
    opened: request.opened,
    scrolledTo: request.scrolledTo,
    wideRoom: request.dense ? 0 : narrow ? room : width * WIDE_SHARE,
  });

  const many = brokers.length >= MANY_BROKERS && !narrow;
  const bandY = namesOnly ? 2 : narrow ? (request.dense ? 40 : 24) : request.dense || many ? 8 : 20;
  const cellHeight = namesOnly ? CELL_HEIGHT_NAMES : request.dense || narrow ? CELL_HEIGHT_DENSE : many ? CELL_HEIGHT_MANY : CELL_HEIGHT;
  // On a phone the name is directly above the band, with some space.
  const roomAbove = narrow ? (request.dense ? 4 : -3) : bandY - 2;
  const minimum = request.dense ? 0 : narrow ? 104 : many ? 98 : 124;
  const inbox = new Map<Message["from"], number>();
  for (const message of messagesOf(request.waiting ?? frame, partition)) inbox.set(message.to, (inbox.get(message.to) ?? 0) + 1);
  const rows: RowLayout[] = [];
  const cards: CardsLayout[] = [];
  const axisHeight = namesOnly ? AXIS_HEIGHT_NAMES : AXIS_HEIGHT;
  let y = axisHeight;
  let stripY: number | null = null;
  for (const broker of brokers) {
    if (broker === apart) {
      stripY = y;
      y += STRIP_HEIGHT;
    }
    const extra = request.extraLines(broker);
    const waiting = inbox.get(broker) ?? 0;
    // On a phone a row reserves no room for absent cards.
    const cardStrip = request.cards && !aside && (!narrow || waiting > 0) ? (waiting > 1 ? STRIP_SCROLLED : STRIP) : 0;
    // On a phone they are on one line below the name.
    const rowBandY = narrow && extra > 0 ? bandY + (request.dense ? 28 : 24) : bandY;
    const filesX = narrow && request.cards ? width - FILES_BUTTON : null;
    const row = layoutReplicaRow({ ...request, withEpochs: detail === "all", withBeliefs: !namesOnly, broker, axis, y, height: minimum, cellHeight, bandY: rowBandY, roomAbove, filesX });
    const files = request.filesOpen.has(broker) && row.replica !== null ? 74 : 0;
    // The line of a cut link and its label are between two rows.
    const content = row.below - y + (detail !== "all" ? 2 : request.dense && !narrow ? 18 : narrow && !request.dense ? 0 : 8);
    const gutter = narrow || namesOnly ? 0 : row.cellY - y + (request.cards ? 80 : 62) + extra * 15;
    const cardsHeight = aside && waiting > 1 ? Math.min(waiting, many ? CARDS_SHOWN_MANY : CARDS_SHOWN) * CARD_HEIGHT + 20 : 0;
    const height = Math.max(minimum, content + cardStrip, gutter, cardsHeight) + files;
    rows.push({ ...row, height });
    if (request.cards) {
      cards.push(
        aside
          ? { broker, place: "side", x: width - SIDE_CARDS, y: y + 10, width: SIDE_CARDS - 16, height: height - 20 }
          : { broker, place: "below", x: narrow ? NARROW_PADDING : left, y: y + height - files - cardStrip + 2, width: room, height: cardStrip - 8 },
      );
    }
    y += height;
  }

  return {
    partition,
    width,
    height: y,
    narrow,
    detail,
    axis,
    axisHeight,
    rows: rows.map((row) => withOrigins(row, rows, y)),
    arcs: narrow || namesOnly ? [] : layoutArcs(messagesOf(request.waiting ?? frame, partition), rows, left, y),
    brokenLinks: narrow || namesOnly ? [] : layoutBrokenLinks(frame, rows, left, y),
    cut: layoutCut({
      frame,
      partition,
      axis,
      rows,
      width,
      narrow,
      left: narrow ? 6 : left - 10,
      stripY,
      cutLabels: request.cutLabels,
      taken: () => [...rows.flatMap((row) => takenRoom(row, { ...request, axis, narrow, withFiles: request.cards })), ...cards.filter(({ broker }) => inbox.has(broker))],
    }),
    cards,
  };
}

/** An offset and its neighbours, the nearest first; more than needed. */
function around(offset: number | null): number[] {
  if (offset === null) return [];
  return [offset, ...Array.from({ length: NEIGHBOURS }, (_, index) => [offset + index + 1, offset - index - 1]).flat()];
}

/** The messages that concern a partition: its own, and those of whole brokers. */
export function messagesOf(frame: Frame, partition: string): Message[] {
  return frame.state.in_flight.filter((message) => message.partition === null || message.partition === partition);
}

/**
 * The origin of newly arrived records: a follower's come from the leader's row, a leader's from the
 * producers below.
 */
function withOrigins(row: RowLayout, rows: readonly RowLayout[], bottom: number): RowLayout {
  if (row.cells.every((cell) => cell.arrivedFrom === null)) return row;
  const leader = row.replica?.role === "follower" ? rows.find((other) => other.broker === row.replica?.leader) : undefined;
  const from = (leader === undefined ? bottom : leader.cellY) - row.cellY;
  return { ...row, cells: row.cells.map((cell) => (cell.arrivedFrom === null ? cell : { ...cell, arrivedFrom: from })) };
}
