/**
 * Computes positions from a frame and a size: the rows of one partition, the messages between them,
 * the truncation.
 */

import type { Frame, Message } from "../trace";
import { measuresOf, NARROW_PADDING, type Measures } from "./forms";
import { offsetsOfInterest } from "./folding";
import {
  layoutArcs,
  layoutBrokenLinks,
  linesRoom,
  type ArcLayout,
  type BrokenLinkLayout,
} from "./links-between-rows";
import { layoutOffsetAxis, offsetRange, type OffsetAxis } from "./offset-axis";
import { layoutReplicaRow, type RowLayout } from "./replica-row";
import type { ColumnPlace, ColumnRequest, RowDetail, StageRequest } from "./stage-request";
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

/** What all rows of a layout have in common. */
interface Ground {
  readonly request: StageRequest;
  readonly brokers: readonly number[];
  readonly column: ColumnRequest | null;
  /** Whether what is drawn once is drawn here. */
  readonly once: boolean;
  readonly width: number;
  readonly form: Measures;
  readonly detail: RowDetail;
  /** The left edge of the log, and the room for it. */
  readonly left: number;
  readonly room: number;
  /** Whether cards are next to the log. */
  readonly aside: boolean;
  readonly axis: OffsetAxis;
  /** How much taller than otherwise rows are. */
  readonly taller: number;
}

function layoutGround(request: StageRequest): Ground {
  const { frame, partition } = request;
  const column = request.column ?? null;
  const once = column === null || column.first;
  const width = column?.to ?? request.width;
  const brokers = request.brokers ?? brokersOf(frame, partition, request.order);
  const form = measuresOf(request, brokers.length);
  const detail = request.detail ?? (form.namesOnly ? "names" : "all");
  const left = column === null ? form.gutter : column.from + COLUMN_PADDING;
  const room = width - left - AFTER_LOG;
  const place = { column, width, form, left, room };
  const taller = form.grows ? (request.taller ?? 0) : 0;
  return { request, brokers, once, detail, taller, ...place, ...layoutLogs(request, place) };
}

/** The axis of the offsets. Cards are next to the log if that leaves its cells a comfortable width. */
function layoutLogs(
  request: StageRequest,
  { column, width, form, left, room }: Pick<Ground, "column" | "width" | "form" | "left" | "room">,
): Pick<Ground, "aside" | "axis"> {
  const { frame, partition } = request;
  const { lowest, highest } = request.shared?.range ?? offsetRange(frame, partition);
  const places = Math.min(highest - lowest + 1, form.placesBeside);
  const hasRoomBeside = places * PLACE_BESIDE <= room - form.sideCards;
  const aside = column === null && request.cards && !form.narrow && hasRoomBeside;
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
  return { aside, axis };
}

interface PlacedRow {
  readonly broker: number;
  readonly y: number;
  /** The number of messages to it. */
  readonly waiting: number;
}

/** A row, and the room for its cards. */
function layoutRow(ground: Ground, placed: PlacedRow): { row: RowLayout; cards: CardsLayout } {
  const { request, once, width, form, detail, left, axis, taller } = ground;
  const { broker, y, waiting } = placed;
  const shared = request.shared?.rows.get(broker);
  const { narrow } = form;
  const bandY = Math.floor(taller / 2) + form.bandY;
  const linesRoom = narrow ? width - 2 * NARROW_PADDING : gutterRoom(left);
  const extra = once ? request.extraLines(broker, linesRoom) : 0;
  const row = layoutReplicaRow({
    ...request,
    width,
    withEpochs: detail === "all",
    withBeliefs: form.withBeliefs,
    toEpochs: form.toEpochs,
    broker,
    axis,
    y,
    height: taller + form.least,
    cellHeight: form.cellHeight,
    bandY: bandY + (extra > 0 ? form.lines : 0) + (shared?.lower ?? 0),
    roomAbove: form.roomAbove ?? bandY - 2,
    filesX: narrow && request.cards ? width - FILES_BUTTON : null,
  });
  const below = layoutBelow(ground, row, waiting);
  const files = request.filesOpen.has(broker) && row.replica !== null ? FILES_HEIGHT : 0;
  const own = ownHeight(ground, row, { ...placed, ...below, extra, files });
  const height = Math.max(own, shared?.height ?? 0);
  return {
    row: { ...row, height },
    cards: { broker, ...layoutCards(ground, { y, height, files, ...below }) },
  };
}

/** The room below a log: between the labels of its epochs, or a strip. */
interface Below {
  readonly band: { readonly left: number };
  readonly gap: ReturnType<typeof gapBelowLog>;
  /** The height of the strip. */
  readonly strip: number;
}

/** Cards beside the labels of the epochs take no room; otherwise they have a strip of their own. */
function layoutBelow(ground: Ground, row: RowLayout, waiting: number): Below {
  const { request, width, form, left, aside, column } = ground;
  const band = {
    left: form.narrow ? NARROW_PADDING : left,
    right: width - AFTER_LOG,
    cards: waiting,
    low: form.low,
    inColumn: column !== null,
  };
  if (!request.cards || aside) return { band, gap: null, strip: 0 };
  const gap = form.narrow ? null : gapBelowLog(row, band);
  return { band, gap, strip: gap === null && waiting > 0 ? stripHeight(band) : 0 };
}

/** The height of a row's contents. */
function ownHeight(
  { once, form, detail, column, aside, taller }: Ground,
  row: RowLayout,
  {
    y,
    waiting,
    gap,
    strip,
    extra,
    files,
  }: PlacedRow & Below & { readonly extra: number; readonly files: number },
): number {
  // On a phone nothing is below the name of a broker without a replica.
  if (form.narrow && row.replica === null) return BARE_ROW + (extra > 0 ? EXTRA_LINE : 0) + strip;
  const below = detail === "withoutEpochs" ? BELOW_WITHOUT_EPOCHS : form.below;
  const hasGutterTexts = once && !form.narrow && (column !== null || !form.namesOnly);
  const contents = [
    taller + form.least,
    row.below - y + below + strip,
    waiting > 0 && gap !== null ? gap.y + gap.height + BELOW_CARD - y : 0,
    hasGutterTexts ? row.cellY - y + form.gutterTexts + extra * form.gutterLine : 0,
    aside && waiting > 1 ? form.cardsShown * CARD_HEIGHT + 2 : 0,
  ];
  return Math.max(...contents) + files;
}

/** The room for the cards of a row. */
function layoutCards(
  { width, form, room, aside }: Ground,
  {
    y,
    height,
    files,
    band,
    gap,
    strip,
  }: Below & { readonly y: number; readonly height: number; readonly files: number },
): Omit<CardsLayout, "broker"> {
  if (aside)
    return {
      place: "side",
      x: width - form.sideCards,
      y: y + 5,
      width: form.sideCards - 16,
      height: height - files - 10,
    };
  const ownStrip = {
    x: band.left,
    y: y + height - files - strip + 2,
    width: room,
    height: strip - AROUND_STRIP,
  };
  return { place: "below", ...(gap ?? ownStrip) };
}

function layoutRows(request: StageRequest, apart: number | null): StageLayout {
  const ground = layoutGround(request);
  const { frame, partition } = request;
  const { column, width, form, left, axis } = ground;
  const { narrow, low } = form;
  const waitingMessages = messagesOf(request.waiting ?? frame, partition, column);
  const inbox = new Map<Message["from"], number>();
  for (const message of waitingMessages) inbox.set(message.to, (inbox.get(message.to) ?? 0) + 1);
  const rows: RowLayout[] = [];
  const cards: CardsLayout[] = [];
  const axisHeight = request.withOffsets === false ? 0 : form.axisHeight;
  let y = axisHeight;
  let stripY: number | null = null;
  for (const broker of ground.brokers) {
    if (broker === apart) stripY = y;
    y += Math.max(broker === apart ? STRIP_HEIGHT : 0, request.shared?.rows.get(broker)?.gap ?? 0);
    const placed = layoutRow(ground, { broker, y, waiting: inbox.get(broker) ?? 0 });
    rows.push(placed.row);
    if (request.cards) cards.push(placed.cards);
    y += placed.row.height;
  }
  const taken = () => [
    ...rows.flatMap((row) =>
      takenRoom(row, { ...request, width, axis, narrow, withFiles: request.cards }),
    ),
    ...cards.filter(({ broker }) => inbox.has(broker)),
  ];
  const cutLeft = left - (narrow ? 8 : 6);
  return {
    partition,
    width,
    column: column && { from: column.from, partitions: column.partitions, first: column.first },
    height: y,
    narrow,
    low,
    detail: ground.detail,
    axis,
    axisHeight,
    rows: rows.map((row) => withOrigins(row, rows, y)),
    ...layoutLinks(ground, { rows, height: y, waiting: waitingMessages }),
    cut: layoutCut({ ...request, axis, rows, width, narrow, left: cutLeft, stripY, taken }),
    cards,
  };
}

/** The lines between the rows, which are drawn once for all columns. */
function layoutLinks(
  { request, column, once, form, left }: Ground,
  {
    rows,
    height,
    waiting,
  }: {
    readonly rows: readonly RowLayout[];
    readonly height: number;
    readonly waiting: readonly Message[];
  },
): Pick<StageLayout, "arcs" | "brokenLinks"> {
  if (!form.linked || !once) return { arcs: [], brokenLinks: [] };
  const { frame } = request;
  const messages =
    column === null ? waiting : messagesBetween(request.waiting ?? frame, column.partitions);
  return {
    arcs: layoutArcs(messages, rows, left, height),
    brokenLinks: layoutBrokenLinks(frame, rows, left, height),
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
