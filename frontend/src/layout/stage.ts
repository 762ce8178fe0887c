/** Frame and size to positions: the rows of one partition, the messages between them, the cut. */

import type { Frame, Message, TraceEvent } from "../trace";
import { offsetsOfInterest, type Fold } from "./folding";
import { boundaryX, layoutOffsetAxis, offsetRange, type OffsetAxis } from "./offset-axis";
import { FLAG_BAND, layoutReplicaRow, type RowLayout } from "./replica-row";
import { textWidth } from "./text";

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
const ARC_LANE = 13;
/** How much of the row wide cells may fill: the rest is for the cards of messages. */
const WIDE_SHARE = 0.55;
const CELL_HEIGHT = 42;
const CELL_HEIGHT_DENSE = 38;
const CELL_HEIGHT_NAMES = 26;
/** From so many brokers on, rows are lower. */
const MANY_BROKERS = 5;
const CELL_HEIGHT_MANY = 34;
/** A card beside others, and how many of them a row grows for. */
const CARD_HEIGHT = 59;
const CARDS_SHOWN = 4;
const CARDS_SHOWN_MANY = 2;

/** How many cells a stage ever has beside one. */
const NEIGHBOURS = 40;

/** All of a row; without its epochs; or the log beside its broker's name, and nothing else. */
export type RowDetail = "all" | "withoutEpochs" | "names";

export interface StageRequest {
  readonly frame: Frame;
  readonly previous: Frame | null;
  readonly partition: string;
  readonly width: number;
  /** The place that a person scrolled to, where opened folds are more than fit. */
  readonly scrolledTo: number | null;
  /** The offset that a person looks at, for which what else is told makes room; left out: none. */
  readonly looksAt?: number | null;
  /** Folds that a person has opened. */
  readonly opened: readonly Fold[];
  /** Whether messages have cards in their receiver's row. */
  readonly cards: boolean;
  /** Rows only as tall as what is in them. */
  readonly dense: boolean;
  /** What rows give up where height is short; left out: nothing. */
  readonly detail?: RowDetail;
  /** The brokers that have a row, where there is no room for all. */
  readonly brokers?: readonly number[];
  /** Brokers whose checkpoint files are open below their logs. */
  readonly filesOpen: ReadonlySet<number>;
  /** How many lines stand in the gutter below name, role and whether it is in sync. */
  readonly extraLines: (broker: number) => number;
  readonly beliefLabel: (brokers: readonly number[], offset: number) => string;
  readonly epochLabel: (epoch: number, start: number) => string;
}

export interface ArcLayout {
  readonly message: Message;
  readonly path: string;
  readonly arrow: string;
  readonly dot: { readonly x: number; readonly y: number };
}

/** A link on which nothing arrives, in one direction. */
export interface BrokenLinkLayout {
  readonly from: Message["from"];
  readonly to: Message["from"];
  /** The two ends, with a gap between them. */
  readonly path: string;
  readonly arrow: string;
  /** Where the cross stands, in the gap. */
  readonly cross: { readonly x: number; readonly y: number };
}

export interface CutLayout {
  readonly event: TraceEvent;
  readonly x: number;
  readonly fromY: number;
  readonly toY: number;
  readonly labelY: number;
  readonly labelX: number;
  /** Where its label has to end. */
  readonly right: number;
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

/** The brokers with a row: a lone partition's replicas in their order, else every broker, so that rows keep their places. */
export function brokersOf(frame: Frame, partition: string): number[] {
  const all = Object.keys(frame.state.brokers).map(Number).sort((a, b) => a - b);
  const withLog = Object.keys(frame.state.replicas[partition] ?? {}).map(Number);
  if (Object.keys(frame.state.partitions).length > 1) return all;
  const assigned = frame.state.partitions[partition]?.replicas ?? [];
  const others = withLog.filter((broker) => !assigned.includes(broker)).sort((a, b) => a - b);
  return [...assigned, ...others];
}

export function layoutStage(request: StageRequest): StageLayout {
  const { frame, partition, width, detail = "all" } = request;
  const namesOnly = detail === "names";
  const narrow = !namesOnly && width < (request.dense ? NARROW_BELOW_DENSE : NARROW_BELOW);
  const left = namesOnly ? GUTTER_NAMES : narrow ? NARROW_PADDING : request.dense && width < 760 ? GUTTER_DENSE : GUTTER;
  const brokers = request.brokers ?? brokersOf(frame, partition);
  const { lowest, highest } = offsetRange(frame, partition);

  // Cards stand beside the log as long as that leaves its cells a comfortable width.
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
  // On a phone the name stands right above the band, and keeps some air.
  const roomAbove = narrow ? (request.dense ? 4 : -3) : bandY - 2;
  const minimum = request.dense ? 0 : narrow ? 104 : many ? 98 : 124;
  const inbox = new Map<Message["from"], number>();
  for (const message of messagesOf(frame, partition)) inbox.set(message.to, (inbox.get(message.to) ?? 0) + 1);
  const rows: RowLayout[] = [];
  const cards: CardsLayout[] = [];
  const axisHeight = namesOnly ? AXIS_HEIGHT_NAMES : AXIS_HEIGHT;
  let y = axisHeight;
  for (const broker of brokers) {
    const extra = request.extraLines(broker);
    const waiting = inbox.get(broker) ?? 0;
    // On a phone a row keeps no room for cards that are not there.
    const strip = request.cards && !aside && (!narrow || waiting > 0) ? (waiting > 1 ? STRIP_SCROLLED : STRIP) : 0;
    // On a phone they share one line below the name.
    const rowBandY = narrow && extra > 0 ? bandY + (request.dense ? 28 : 24) : bandY;
    const filesX = narrow && request.cards ? width - FILES_BUTTON : null;
    const row = layoutReplicaRow({ ...request, withEpochs: detail === "all", withBeliefs: !namesOnly, broker, axis, y, height: minimum, cellHeight, bandY: rowBandY, roomAbove, filesX });
    const files = request.filesOpen.has(broker) && row.replica !== null ? 74 : 0;
    // A line of a cut, and its label, stand where two rows meet.
    const content = row.below - y + (detail !== "all" ? 2 : request.dense && !narrow ? 18 : narrow && !request.dense ? 0 : 8);
    const gutter = narrow || namesOnly ? 0 : row.cellY - y + (request.cards ? 80 : 62) + extra * 15;
    const cardsHeight = aside && waiting > 1 ? Math.min(waiting, many ? CARDS_SHOWN_MANY : CARDS_SHOWN) * CARD_HEIGHT + 20 : 0;
    const height = Math.max(minimum, content + strip, gutter, cardsHeight) + files;
    rows.push({ ...row, height });
    if (request.cards) {
      cards.push(
        aside
          ? { broker, place: "side", x: width - SIDE_CARDS, y: y + 10, width: SIDE_CARDS - 16, height: height - 20 }
          : { broker, place: "below", x: narrow ? NARROW_PADDING : left, y: y + height - files - strip + 2, width: room, height: strip - 8 },
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
    arcs: narrow || namesOnly ? [] : layoutArcs(messagesOf(frame, partition), rows, left, y),
    brokenLinks: narrow || namesOnly ? [] : layoutBrokenLinks(frame, rows, left, y),
    cut: layoutCut(frame, partition, axis, rows, width),
    cards,
  };
}

/** An offset and its neighbours, the nearest first: more than fit. */
function around(offset: number | null): number[] {
  if (offset === null) return [];
  return [offset, ...Array.from({ length: NEIGHBOURS }, (_, index) => [offset + index + 1, offset - index - 1]).flat()];
}

/** The messages that concern a partition: its own, and those of whole brokers. */
export function messagesOf(frame: Frame, partition: string): Message[] {
  return frame.state.in_flight.filter((message) => message.partition === null || message.partition === partition);
}

/** Where what has just arrived came from: a follower's records from the leader's row, a leader's from the producers below. */
function withOrigins(row: RowLayout, rows: readonly RowLayout[], bottom: number): RowLayout {
  if (row.cells.every((cell) => cell.arrivedFrom === null)) return row;
  const leader = row.replica?.role === "follower" ? rows.find((other) => other.broker === row.replica?.leader) : undefined;
  const from = (leader === undefined ? bottom : leader.cellY) - row.cellY;
  return { ...row, cells: row.cells.map((cell) => (cell.arrivedFrom === null ? cell : { ...cell, arrivedFrom: from })) };
}

/** Each direction of each link that is cut, outside the arcs of messages. */
function layoutBrokenLinks(frame: Frame, rows: readonly RowLayout[], gutter: number, bottom: number): BrokenLinkLayout[] {
  const yOf = (endpoint: Message["from"]): number | null => (endpoint === "controller" ? bottom : (rows.find((row) => row.broker === endpoint)?.cellY ?? null));
  const cut = rows.flatMap((row) => (frame.state.brokers[String(row.broker)]?.cut_from ?? []).map((to) => ({ from: row.broker as Message["from"], to })));
  for (const to of frame.state.controller.cut_from ?? []) cut.push({ from: "controller", to });
  return cut.flatMap(({ from, to }, index): BrokenLinkLayout[] => {
    const start = yOf(from);
    const end = yOf(to);
    if (start === null || end === null || start === end) return [];
    const down = end > start ? 1 : -1;
    const x = gutter - 14 - (index % 2) * 8;
    const [top, tip] = [start + 14 + down * 6, end + (to === "controller" ? -3 : 14 - down * 6)];
    const middle = (top + tip) / 2;
    return [
      {
        from,
        to,
        path: `M${x} ${top}V${middle - down * 8}M${x} ${middle + down * 8}V${tip}`,
        arrow: `M${x - 4} ${tip - down * 7}L${x} ${tip}L${x + 4} ${tip - down * 7}`,
        cross: { x, y: middle },
      },
    ];
  });
}

/** An arc in the gutter for each message, in a lane of its own as long as there are lanes. */
function layoutArcs(messages: readonly Message[], rows: readonly RowLayout[], gutter: number, bottom: number): ArcLayout[] {
  const rowY = (endpoint: Message["from"]): number | null => {
    if (endpoint === "controller") return bottom;
    const row = rows.find((candidate) => candidate.broker === endpoint);
    return row === undefined ? null : row.cellY + 18;
  };
  const arcs: ArcLayout[] = [];
  for (const message of messages) {
    const from = rowY(message.from);
    const to = rowY(message.to);
    if (from === null || to === null) continue;
    const x = gutter - 28 - (arcs.length % 3) * ARC_LANE;
    const bulge = x - 22;
    const middle = (from + to) / 2;
    const down = to > from ? 1 : -1;
    const startY = message.from === "controller" ? from : from + down * 2;
    const endY = message.to === "controller" ? to - 4 : to;
    const at = message.parked ? 0.86 : message.held ? 0.2 : 0.5;
    arcs.push({
      message,
      path: `M${x} ${startY}Q${bulge} ${middle} ${x} ${endY}`,
      arrow: `M${x - 8} ${endY - down * 7}L${x} ${endY}L${x + 1} ${endY - down * 10}`,
      dot: quadratic([x, startY], [bulge, middle], [x, endY], at),
    });
  }
  return arcs;
}

type Point = readonly [number, number];

function quadratic(a: Point, b: Point, c: Point, t: number): { x: number; y: number } {
  const mix = (from: number, control: number, to: number) => (1 - t) ** 2 * from + 2 * (1 - t) * t * control + t ** 2 * to;
  return { x: mix(a[0], b[0], c[0]), y: mix(a[1], b[1], c[1]) };
}

/** The offset where a log is, or is about to be, cut: the first event of the frame that says so. */
function layoutCut(frame: Frame, partition: string, axis: OffsetAxis, rows: readonly RowLayout[], width: number): CutLayout | null {
  for (const event of frame.events) {
    if (event.numbers.partition !== partition) continue;
    const at = cutOffset(event);
    if (at === null || at < axis.first || at > axis.last + 1) continue;
    const cutting = event.kind === "LogTruncated" ? event.numbers.broker : event.numbers.follower;
    const follower = rows.find((row) => row.broker === cutting);
    if (follower === undefined) continue;
    const leader = rows.find((row) => row.broker === answeringLeader(event, follower));
    const x = boundaryX(axis, at);
    const labelX = x + 52;
    const right = width - 6;
    if (leader === undefined || leader === follower) {
      return { event, x, fromY: follower.cellY + follower.cellHeight + 8, toY: follower.cellY + follower.cellHeight + 8, labelX, right, labelY: follower.y + (follower === rows[0] ? 11 : 0) };
    }
    // Below the line of text that a log without epochs has in place of brackets.
    const under = (row: RowLayout) => (row.replica?.epoch_cache === null ? row.epochY + 16 : row.epochY - 4);
    return leader.y < follower.y
      ? { event, x, fromY: under(leader), toY: follower.cellY - FLAG_BAND, labelX, right, labelY: follower.y }
      : { event, x, fromY: leader.cellY - FLAG_BAND, toY: under(follower), labelX, right, labelY: follower.y + follower.height };
  }
  return null;
}

function cutOffset(event: TraceEvent): number | null {
  const numbers = event.numbers;
  if (event.kind === "LogTruncated" && typeof numbers.to === "number") return numbers.to;
  if (event.kind === "EpochLookupAnswered" && typeof numbers.end_offset === "number" && numbers.end_offset >= 0) return numbers.end_offset;
  return null;
}

/** Who said where the log ends: null where the replica cut its log by itself. */
function answeringLeader(event: TraceEvent, follower: RowLayout): number | null {
  if (event.kind === "EpochLookupAnswered") return Number(event.numbers.broker);
  if (["high_watermark", "no_epochs", "no_answer", "undefined"].includes(event.variant ?? "")) return null;
  if (typeof event.numbers.leader === "number") return event.numbers.leader;
  return follower.replica?.leader ?? null;
}

/** The width of a rounded label that holds a text. */
export function pillWidth(text: string, fontSize: number): number {
  return textWidth(text, fontSize, true) + 30;
}
