/** The visible part of the diagram: shapes with their positions, and labels without overlap. */

import type { Point, Rectangle } from "./rectangle";
import {
  along,
  foldBefore,
  LABEL_MARGIN,
  laneLine,
  momentLine,
  partOfTime,
  type DiagramAxis,
} from "./diagram-axis";
import { isAbout, type Dot, type Jump, type Label, type Place, type Tone } from "./diagram-facts";
import {
  formsOf,
  LABEL_HEIGHT,
  labelHeight,
  labelWidth,
  placeLabels,
  type LabelRequest,
  type Obstacles,
  type PlacedLabel,
} from "./diagram-labels";
import { columnOf, type Arrow, type DiagramModel, type Section, type Stay } from "./diagram-model";

interface Item {
  readonly key: string;
  /** The target of a click. */
  readonly column: number;
  /** Its lanes, for keyboard navigation. */
  readonly places: readonly Place[];
  readonly tone: Tone;
  readonly label: PlacedLabel | null;
}

export interface ShownArrow extends Item {
  readonly shape: "arrow";
  readonly of: Arrow | Jump;
  /** All messages that it draws: that one, or several that would be drawn over each other. */
  readonly all: readonly (Arrow | Jump)[];
  readonly from: Point;
  /** The end of the line: at the receiver, or where the message was lost. */
  readonly to: Point;
  /** At the end of the line; a message that is in flight at the end of the run has a ring or a dot, at its place. */
  readonly ending: "head" | "cross" | "ring" | "dot";
  /** Its place at the end of the run; null if it is not in flight then. */
  readonly atEnd: Point | null;
  /** The point up to which it was held; null if it never was. */
  readonly heldTo: Point | null;
  /** Whether there is a ring where it was held; another arrow's may be there. */
  readonly ringed: boolean;
}

export interface ShownDot extends Item {
  readonly shape: "dot";
  readonly of: Dot;
  readonly at: Point;
}

export type ShownItem = ShownArrow | ShownDot;

export interface ShownStay {
  readonly key: string;
  readonly kind: Stay["kind"];
  readonly from: Point;
  readonly to: Point;
}

export interface WindowRequest {
  readonly model: DiagramModel;
  readonly axis: DiagramAxis;
  readonly vertical: boolean;
  /** The position of a lane; null if it is omitted. */
  readonly laneAt: (place: Place) => number | null;
  readonly lanes: readonly number[];
  /** The room for labels, across the time axis. */
  readonly across: readonly [number, number];
  readonly firstSection: number;
  readonly lastSection: number;
  readonly partition: string | null;
  readonly labelOf: (label: Label) => string;
  /** The short label of a message's contents; empty if it needs none. */
  readonly carried: (arrow: Arrow) => string;
  /** The label of several messages that have the same one. */
  readonly several: (text: string, count: number) => string;
  /** A cache of sections that were laid out with the same parameters. */
  readonly known: Map<Section, DiagramPart>;
}

/** What is drawn of a section, or of a window. */
export interface DiagramPart {
  readonly items: readonly ShownItem[];
  readonly stays: readonly ShownStay[];
}

/** A message within a frame arrives at this part of its slot if it follows the frame's moment. */
const ARRIVES_AT = 0.46;
/** From this part of a slot on, it is drawn if it precedes the frame's moment. */
const STARTS_AT = -0.44;
/** The margin of folded time, and the least distance of equal dots in it. */
const FOLD_MARGIN = 6;
const LEAST_APART = 6;
/** The room for the length of folded time, such as "86,400.5 s". */
const FOLDED_LENGTH = 60;
/** By so much a label's box is wider than its text, at least. */
const OVERESTIMATE = 3;
/** A message begins at most so far after the moment of its frame, where the playhead is: its mark touches it. */
const MOST_AFTER = 6;
const LOST_AT = 0.62;
const RANKS: Readonly<Record<Tone, number>> = { bad: 0, accent: 1, warn: 2, good: 3, plain: 4 };

export function layoutWindow(request: WindowRequest): DiagramPart {
  const items = new Map<string, ShownItem>();
  const stays = new Map<string, ShownStay>();
  for (const section of request.model.sections.slice(
    request.firstSection,
    request.lastSection + 1,
  )) {
    const layout = request.known.get(section) ?? layoutSection(request, section);
    request.known.set(section, layout);
    for (const stay of layout.stays) stays.set(stay.key, stay);
    for (const item of layout.items) {
      // An arrow that continues from an earlier section has its label there, or here if that
      // section is not visible.
      if (item.label !== null || !items.has(item.key)) items.set(item.key, item);
    }
  }
  return {
    items: [...items.values()].sort((a, b) => a.column - b.column),
    stays: [...stays.values()],
  };
}

function layoutSection(request: WindowRequest, section: Section): DiagramPart {
  const own = sectionItems(request, section);
  const stays = section.stays.flatMap((stay) => stayShape(request, stay) ?? []);
  const labels = sectionLabels(request, section, own, stays);
  return { items: own.map((item) => ({ ...item, label: labels.get(item.key) ?? null })), stays };
}

function sectionItems(request: WindowRequest, section: Section): ShownItem[] {
  const items: ShownItem[] = section.arrows.flatMap((arrow) => arrowShape(request, arrow) ?? []);
  const isShown = ({ event }: Dot | Jump): boolean => isAbout(event, request.partition);
  for (let column = section.first; column <= section.last; column += 1) {
    const frame = request.model.frames[column];
    if (frame === undefined) continue;
    const { dots, jumps } = request.model.factsOf(frame);
    items.push(
      ...columnJumps(request, jumps.filter(isShown), column),
      ...columnDots(request, dots.filter(isShown), column),
    );
  }
  return items;
}

/** The jumps of a frame: one for all with the same ends and label. */
function columnJumps(request: WindowRequest, jumps: readonly Jump[], column: number): ShownArrow[] {
  const shown = new Map<string, ShownArrow>();
  for (const [index, jump] of jumps.entries()) {
    const saying = `${jump.from} ${jump.to} ${jump.before} ${jump.lost} ${request.labelOf(jump.label)}`;
    const first = shown.get(saying);
    const one =
      first === undefined
        ? jumpShape(request, jump, column, index)
        : { ...first, all: [...first.all, jump] };
    if (one !== null) shown.set(saying, one);
  }
  return [...shown.values()];
}

/**
 * The dots of a frame: side by side on the same lane, and merged if several partitions have the
 * same one. A dot with its own time is at its place in the time before the frame.
 */
function columnDots(request: WindowRequest, dots: readonly Dot[], column: number): ShownDot[] {
  const shown: ShownDot[] = [];
  const said = new Map<string, number>();
  for (const dot of dots) {
    const saying = `${dot.place} ${request.labelOf(dot.label)}`;
    const beside = shown.filter(
      ({ of }) => of.place === dot.place && momentIn(request, of, column) === null,
    ).length;
    const moment =
      momentIn(request, dot, column) ??
      along(request.axis, column, dot.late ? ARRIVES_AT : Math.min(beside * 0.16, 0.45));
    const before = said.get(saying);
    const merged = before !== undefined && (dot.timeMs === null || moment - before < LEAST_APART);
    const at = merged ? null : pointAt(request, moment, dot.place);
    if (at === null) continue;
    said.set(saying, moment);
    shown.push({
      key: `d${column}-${shown.length}`,
      shape: "dot",
      of: dot,
      column,
      places: [dot.place],
      tone: dot.tone,
      label: null,
      at,
    });
  }
  return shown;
}

/** The position of a dot that has its own time before its frame's: in folded time, or in the slot. */
function momentIn({ axis, model }: WindowRequest, { timeMs }: Dot, column: number): number | null {
  const until = model.frames[column]?.state.time_ms ?? 0;
  const since = model.frames[column - 1]?.state.time_ms ?? until;
  if (timeMs === null || timeMs >= until || timeMs < since) return null;
  const part = (timeMs - since) / (until - since);
  if (model.idle[column] === null) return along(axis, column, STARTS_AT * (1 - part));
  const [start, end] = foldBefore(axis, column);
  return start + FOLD_MARGIN + (end - start - 2 * FOLD_MARGIN) * part;
}

function pointAt({ vertical, laneAt }: WindowRequest, at: number, place: Place): Point | null {
  const lane = laneAt(place);
  if (lane === null) return null;
  return vertical ? { x: lane, y: at } : { x: at, y: lane };
}

function between(a: Point, b: Point, part: number): Point {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

/** Messages that arrived unseen are omitted; ignored commands are drawn if they created a frame. */
function isDrawn(arrow: Arrow, partition: string | null): boolean {
  if (
    arrow.fate === "unseen" ||
    (arrow.partition !== null && partition !== null && arrow.partition !== partition)
  )
    return false;
  return arrow.kind !== "update_metadata" || arrow.fate === "arrived" || arrow.heldFrom !== null;
}

function arrowShape(request: WindowRequest, arrow: Arrow): ShownArrow | null {
  if (!isDrawn(arrow, request.partition)) return null;
  const { axis, vertical } = request;
  const last = request.model.frames.length - 1;
  const from = pointAt(request, beginningOf(axis, arrow), arrow.from);
  const goal = pointAt(request, endOf(axis, arrow, last), arrow.to);
  if (from === null || goal === null) return null;
  const to = arrow.fate === "lost" ? lostBefore(goal, from, vertical) : goal;
  const atEnd = arrow.end === null ? onLine(vertical, from, to, along(axis, last)) : null;
  const heldTo = holdingEnd(arrow, atEnd ?? to, (at) =>
    onLine(vertical, from, to, along(axis, at)),
  );
  return {
    key: `m${arrow.id}`,
    shape: "arrow",
    of: arrow,
    all: [arrow],
    column: columnOf(arrow),
    places: [arrow.from, arrow.to],
    tone: toneOf(arrow),
    label: null,
    from,
    to,
    ending: endingOf(arrow),
    atEnd,
    heldTo,
    ringed: heldTo !== null,
  };
}

/** Where on the time axis a message begins. */
function beginningOf(axis: DiagramAxis, { start }: Arrow): number {
  return Math.min(along(axis, start, 0.08), along(axis, start) + MOST_AFTER);
}

/** Where on the time axis a message ends: within the slot of its own frame, or of the last one if it is still in flight. */
function endOf(axis: DiagramAxis, { start, end }: Arrow, last: number): number {
  if (end === null) return along(axis, last, 0.45);
  return along(axis, end, end === start ? 0.45 : 0);
}

/** A lost message ends in the frame that lost it, on its way to the receiver. */
function lostBefore(goal: Point, from: Point, vertical: boolean): Point {
  const way = between(from, goal, LOST_AT);
  return vertical ? { x: way.x, y: goal.y } : { x: goal.x, y: way.y };
}

/** The point up to which a message was held: its last one if it was not released, or lost then; null if it never was held. */
function holdingEnd(
  { heldFrom, heldTo, fate }: Arrow,
  lastPoint: Point,
  pointOf: (column: number) => Point,
): Point | null {
  if (heldFrom === null) return null;
  return heldTo === null || fate === "lost" ? lastPoint : pointOf(heldTo);
}

function isStillHeld({ heldFrom, heldTo }: Arrow): boolean {
  return heldFrom !== null && heldTo === null;
}

function endingOf(arrow: Arrow): ShownArrow["ending"] {
  if (arrow.fate === "arrived") return "head";
  if (arrow.fate === "lost") return "cross";
  return isStillHeld(arrow) ? "ring" : "dot";
}

function toneOf(arrow: Arrow): Tone {
  if (arrow.fate === "lost") return "bad";
  if (isStillHeld(arrow)) return "warn";
  const { error } = arrow.numbers;
  return typeof error === "string" && error !== "NONE" ? "bad" : "plain";
}

/** The place of a message in flight at the playhead; of one that is sent later, at the end of the run. Null if it is not in flight there. */
export function placeAt(
  { of, from, to, atEnd }: ShownArrow,
  index: number,
  playhead: number,
  vertical: boolean,
): Point | null {
  if (!("start" in of)) return null;
  if (of.start > index) return atEnd;
  return of.end !== null && of.end <= index ? null : onLine(vertical, from, to, playhead);
}

/** The point of a line at a moment. */
export function onLine(vertical: boolean, from: Point, to: Point, at: number): Point {
  const [start, end] = vertical ? [from.y, to.y] : [from.x, to.x];
  return between(
    from,
    to,
    end === start ? 1 : Math.min(1, Math.max(0, (at - start) / (end - start))),
  );
}

function jumpShape(
  request: WindowRequest,
  jump: Jump,
  column: number,
  index: number,
): ShownArrow | null {
  const { axis } = request;
  const from = pointAt(request, along(axis, column, jump.before ? STARTS_AT : 0.06), jump.from);
  const goal = pointAt(request, along(axis, column, jump.before ? -0.03 : ARRIVES_AT), jump.to);
  if (from === null || goal === null) return null;
  const to = jump.lost ? between(from, goal, LOST_AT) : goal;
  return {
    key: `j${column}-${index}`,
    shape: "arrow",
    of: jump,
    all: [jump],
    column,
    places: [jump.from, jump.to],
    tone: jump.tone,
    label: null,
    from,
    to,
    ending: jump.lost ? "cross" : "head",
    atEnd: null,
    heldTo: null,
    ringed: false,
  };
}

function stayShape(request: WindowRequest, stay: Stay): ShownStay | null {
  if (stay.partition !== null && request.partition !== null && stay.partition !== request.partition)
    return null;
  const until = stay.end === null ? request.axis.length : along(request.axis, stay.end);
  const from = pointAt(request, along(request.axis, stay.start), stay.place);
  const to = pointAt(request, until, stay.place);
  return from === null || to === null
    ? null
    : { key: `${stay.kind}${stay.place}-${stay.start}`, kind: stay.kind, from, to };
}

// --- labels ----------------------------------------------------------------------------------

function textOf(request: WindowRequest, item: ShownItem, section: Section): string {
  if (item.shape === "dot") return request.labelOf(item.of.label);
  if ("label" in item.of) return request.several(request.labelOf(item.of.label), item.all.length);
  const arrow = item.of;
  if (arrow.start < section.first - 1) return "";
  // A message's contents are shown at its receiver, if they have a label.
  const arrived =
    arrow.fate === "arrived" && arrow.end !== null ? request.model.frames[arrow.end] : undefined;
  const said =
    arrived !== undefined &&
    COMMANDS.has(arrow.kind) &&
    request.model.factsOf(arrived).dots.some(({ place }) => place === arrow.to);
  return said ? "" : request.carried(arrow);
}

const COMMANDS: ReadonlySet<string> = new Set([
  "leader_and_isr",
  "metadata_record",
  "update_metadata",
  "stop_replica",
]);

function sectionLabels(
  request: WindowRequest,
  section: Section,
  items: readonly ShownItem[],
  stays: readonly ShownStay[],
): Map<string, PlacedLabel> {
  const { vertical, axis, across } = request;
  const { boxes, lines } = coveredBy({ items, stays });
  const endings = items.flatMap((item) =>
    item.shape === "dot" || item.ending === "head" ? [] : [around(item.atEnd ?? item.to, 6)],
  );
  const start =
    request.model.idle[section.first] === null
      ? along(axis, section.first, -0.5)
      : foldBefore(axis, section.first)[0];
  const last = request.model.bands[section.band]?.last === section.last;
  const end = last ? (axis.edges[section.band + 1] ?? 0) : along(axis, section.last, 0.5);
  const bounds = partOfTime(
    vertical,
    vertical ? [start - LABEL_MARGIN, end + LABEL_MARGIN] : [start, end + OVERESTIMATE],
    across,
  );
  const faint = request.lanes.map((lane) => laneLine(vertical, lane, [start, end]));
  const folded = vertical ? foldedLengths(request, section) : [];
  // The playhead of the neighbouring columns also crosses a label that extends to them.
  const stops = axis.moments
    .slice(Math.max(0, section.first - 1), section.last + 2)
    .map((at) => momentLine(vertical, at, across));
  const requests: LabelRequest[] = [];
  for (const item of items) {
    const text = textOf(request, item, section);
    if (text === "") continue;
    const forms = formsOf(text).map((words) => {
      const width = labelWidth(words);
      const height = labelHeight(words.length);
      return {
        lines: words,
        width,
        middles:
          item.shape === "dot"
            ? besideDot(item.at, width, height, vertical)
            : besideLine(item.from, item.to, width, height, vertical),
      };
    });
    requests.push({
      key: item.key,
      rank: RANKS[item.tone] * 2 + (item.shape === "dot" ? 0 : 1),
      forms,
    });
  }
  return placeLabels(
    requests,
    { boxes: [...boxes, ...endings, ...folded], lines, faint, stops },
    bounds,
  );
}

/** Where the lengths of folded time stand if time runs downward: in the middle. */
function foldedLengths({ model, axis, across }: WindowRequest, section: Section): Rectangle[] {
  const x = (across[0] + across[1] - FOLDED_LENGTH) / 2;
  const columns = Array.from(
    { length: section.last - section.first + 1 },
    (_, at) => section.first + at,
  );
  return columns.flatMap((column) => {
    if (model.idle[column] === null) return [];
    const [start, end] = foldBefore(axis, column);
    return [{ x, y: (start + end - LABEL_HEIGHT) / 2, width: FOLDED_LENGTH, height: LABEL_HEIGHT }];
  });
}

/** What no label may cover: dots, the bars of parked fetches, and the lines of arrows. */
export function coveredBy({ items, stays }: DiagramPart): Pick<Obstacles, "boxes" | "lines"> {
  const parked = stays.filter(({ kind }) => kind === "parked");
  return {
    boxes: [
      ...items.flatMap((item) => (item.shape === "dot" ? [around(item.at, 5)] : [])),
      ...parked.map(({ from, to }) => barOf(from, to)),
    ],
    lines: items.flatMap((item) =>
      item.shape === "dot"
        ? []
        : [{ x1: item.from.x, y1: item.from.y, x2: item.to.x, y2: item.to.y }],
    ),
  };
}

function around(at: Point, radius: number): Rectangle {
  return { x: at.x - radius, y: at.y - radius, width: 2 * radius, height: 2 * radius };
}

const BAR = 8;

/** The hollow bar of a parked fetch. */
export function barOf(from: Point, to: Point): Rectangle {
  const half = BAR / 2;
  return {
    x: Math.min(from.x, to.x) - half,
    y: Math.min(from.y, to.y) - half,
    width: Math.abs(to.x - from.x) + BAR,
    height: Math.abs(to.y - from.y) + BAR,
  };
}

/** The playhead stops at most dots, so their labels are beside its line; they cross it only if there is no room on either side. */
function besideDot({ x, y }: Point, width: number, height: number, vertical: boolean): Point[] {
  const side = width / 2 + 8;
  if (vertical) {
    const off = 8 + height / 2;
    const beside = [off, -off].flatMap((by) =>
      [-1, 1].map((way) => ({ x: x + way * side, y: y + by })),
    );
    return [...beside, { x: x - side, y }, { x: x + side, y }];
  }
  const off = 6 + height / 2;
  const past = width / 2 + 1;
  const shift = width / 2 - 4;
  const places = [past, -past, 0, shift, -shift, shift / 2, -shift / 2].flatMap((by) =>
    [off, -off].map((to) => ({ x: x + by, y: y + to })),
  );
  return [
    ...places,
    { x: x + side, y: y + 4 },
    { x: x - side, y: y + 4 },
    { x: x + side, y: y - 6 },
    { x: x - side, y: y - 6 },
  ];
}

/** Beside the mark of a message in flight, along its line. */
export function besideMark(
  mark: Point,
  from: Point,
  to: Point,
  width: number,
  height: number,
  vertical: boolean,
): Point[] {
  if (vertical) return besideDot(mark, width, height, vertical);
  const slope = Math.abs((to.y - from.y) / Math.max(1, Math.abs(to.x - from.x)));
  const clear = 5 + height / 2;
  return [1, -1].flatMap((way) =>
    [4, 9, 40, 90, 150].flatMap((by) => {
      const x = mark.x + way * (by + width / 2);
      const onIt = mark.y + way * (by + width / 2) * Math.sign(to.y - from.y) * slope;
      const off = clear + (width / 2) * slope;
      return [-off, off].map((up) => ({ x, y: onIt + up }));
    }),
  );
}

function besideLine(
  from: Point,
  to: Point,
  width: number,
  height: number,
  vertical: boolean,
): Point[] {
  const places: Point[] = [];
  const off = 4 + height / 2;
  for (const part of [0.5, 0.36, 0.64, 0.24, 0.76]) {
    const at = between(from, to, part);
    if (vertical) {
      places.push(
        { x: at.x, y: at.y - off },
        { x: at.x, y: at.y + off },
        { x: at.x + width / 2 + 4, y: at.y + 1 - off },
        { x: at.x - width / 2 - 4, y: at.y + 1 - off },
      );
      continue;
    }
    // Far enough that even a flat line does not cross the text.
    const slope =
      Math.abs(to.y - from.y) < 1 ? Infinity : Math.abs((to.x - from.x) / (to.y - from.y));
    const gap = Math.min((height / 2) * slope, 40) + 4;
    places.push({ x: at.x + gap + width / 2, y: at.y }, { x: at.x - gap - width / 2, y: at.y });
    // A long label also needs room for the slope of the line below or above it.
    const clear = off + width / 2 / slope;
    if (slope > 2)
      places.push(
        ...[off, clear].flatMap((by) => [-by, by].map((to) => ({ x: at.x, y: at.y + to }))),
      );
  }
  if (vertical) return places;
  // Beyond the playhead's line at either end.
  const [start, end] = from.x < to.x ? [from, to] : [to, from];
  for (const part of [0.36, 0.24]) {
    places.push(
      { x: end.x + width / 2 + 1, y: between(end, start, part).y },
      { x: start.x - width / 2 - 8, y: between(start, end, part).y },
    );
  }
  return places;
}
