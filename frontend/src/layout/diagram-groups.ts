/**
 * Messages under way that would be drawn over each other: those of one kind between the same two
 * ends, whose marks at the playhead meet, are one arrow. Looks at the visible items only.
 */

import type { Place } from "./diagram-facts";
import { labelBox, labelHeight, labelWidth, placeLabels, type Obstacles } from "./diagram-labels";
import type { Arrow } from "./diagram-model";
import {
  barOf,
  besideMark,
  onLine,
  placeAt,
  segment,
  type Point,
  type ShownArrow,
  type ShownItem,
  type ShownStay,
} from "./diagram-window";
import type { Rectangle } from "./rectangle";

/** The marks of messages have this diameter, with a line around them. */
const MARK = 10;

export interface GroupRequest {
  readonly items: readonly ShownItem[];
  readonly stays: readonly ShownStay[];
  readonly index: number;
  readonly playhead: number;
  readonly vertical: boolean;
  readonly lanes: readonly number[];
  /** The room for labels, across the time axis. */
  readonly across: readonly [number, number];
  /** The names of steps, if they are between the items. */
  readonly names: readonly Rectangle[];
  /** The item with the focus, which keeps it if it becomes a part of a group. */
  readonly focused: string | null;
  /** The label of several messages: what they have in common with their number, and the number alone. */
  readonly labelsOf: (arrows: readonly Arrow[]) => readonly string[];
}

type Message = ShownArrow & { readonly of: Arrow };

/** The items, of which those that would fuse at the playhead are one. */
export function groupUnderWay(request: GroupRequest): readonly ShownItem[] {
  const groups = fused(request);
  if (groups.length === 0) return withoutCoveredRings(request.items);
  const hidden = new Set(groups.flat());
  const others = request.items.filter((item) => !hidden.has(item as Message));
  const arrows = groups.map((group) => asOne(group, request));
  const labelled: Message[] = [];
  for (const [at, arrow] of arrows.entries())
    labelled.push(
      withLabel(arrow, groups[at] ?? [], {
        ...request,
        items: [...others, ...labelled, ...arrows.slice(at)],
      }),
    );
  return withoutCoveredRings([...others, ...labelled].sort((a, b) => a.column - b.column));
}

function fused({ items, index, playhead, vertical }: GroupRequest): Message[][] {
  const alike = new Map<string, { readonly item: Message; readonly mark: Point }[]>();
  for (const item of items) {
    const mark = isMessage(item) ? placeAt(item, index, playhead, vertical) : null;
    if (mark === null) continue;
    const { of, heldTo } = item as Message;
    const key = `${keyOf(of)} ${String(heldTo !== null)}`;
    alike.set(key, [...(alike.get(key) ?? []), { item: item as Message, mark }]);
  }
  return [...alike.values()].flatMap((marked) => {
    const groups: Message[][] = [];
    let before: Point | null = null;
    for (const { item, mark } of marked.sort((a, b) =>
      vertical ? a.mark.x - b.mark.x : a.mark.y - b.mark.y,
    )) {
      const last = groups[groups.length - 1];
      if (last !== undefined && before !== null && meet(before, mark)) last.push(item);
      else groups.push([item]);
      before = mark;
    }
    return groups.filter(({ length }) => length > 1);
  });
}

function isMessage(item: ShownItem): item is Message {
  return item.shape === "arrow" && "id" in item.of;
}

function keyOf({
  kind,
  from,
  to,
}: {
  readonly kind: string;
  readonly from: Place;
  readonly to: Place;
}): string {
  return `${kind} ${String(from)} ${String(to)}`;
}

function meet(a: Point, b: Point): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < MARK;
}

/** From where the first was sent to where the last arrives; a click leads to the frame of the one that was on top. */
function asOne(group: readonly Message[], { items, focused, vertical }: GroupRequest): Message {
  const inOrder = [...group].sort((a, b) => items.indexOf(a) - items.indexOf(b));
  const [first, ...others] = [...group].sort((a, b) => a.of.start - b.of.start);
  const last = inOrder[inOrder.length - 1];
  if (first === undefined || last === undefined || others.length === 0)
    throw new Error("A group has several messages.");
  const shown = group.find(({ key }) => key === focused) ?? last;
  const { from } = first;
  const { to } = last;
  const along = (point: Point | null): Point | null =>
    point === null || point === last.to
      ? point
      : onLine(vertical, from, to, vertical ? point.y : point.x);
  return {
    ...shown,
    column: last.column,
    from,
    to,
    ending: last.ending,
    tone: last.tone,
    atEnd: along(last.atEnd),
    heldTo: along(last.heldTo),
    label: null,
    all: inOrder.map(({ of }) => of),
  };
}

function withLabel(arrow: Message, group: readonly Message[], request: GroupRequest): Message {
  const { items, stays, index, playhead, vertical, across, names, lanes } = request;
  const mark = placeAt(arrow, index, playhead, vertical) ?? arrow.to;
  const forms = request.labelsOf(group.map(({ of }) => of)).map((text) => {
    const width = labelWidth([text]);
    return {
      lines: [text],
      width,
      middles: besideMark(mark, arrow.from, arrow.to, width, labelHeight(1), vertical),
    };
  });
  const boxes = items.flatMap((item): Rectangle[] => [
    ...(item.label === null ? [] : [labelBox(item.label, labelWidth(item.label.lines))]),
    ...(item.shape === "dot"
      ? [{ x: item.at.x - 5, y: item.at.y - 5, width: 10, height: 10 }]
      : []),
  ]);
  const obstacles: Obstacles = {
    boxes: [
      ...boxes,
      ...names,
      ...stays.filter(({ kind }) => kind === "parked").map(({ from, to }) => barOf(from, to)),
    ],
    lines: items.flatMap((item) => (item.shape === "arrow" ? [segment(item.from, item.to)] : [])),
    faint: lanes.map((lane) =>
      vertical
        ? { x1: lane, y1: mark.y - 500, x2: lane, y2: mark.y + 500 }
        : { x1: mark.x - 500, y1: lane, x2: mark.x + 500, y2: lane },
    ),
    stops: [
      vertical
        ? { x1: across[0], y1: playhead, x2: across[1], y2: playhead }
        : { x1: playhead, y1: across[0], x2: playhead, y2: across[1] },
    ],
  };
  const [from, to] = across;
  const bounds = vertical
    ? { x: from, y: 0, width: to - from, height: Number.MAX_SAFE_INTEGER }
    : { x: 0, y: from, width: Number.MAX_SAFE_INTEGER, height: to - from };
  return {
    ...arrow,
    label: placeLabels([{ key: "", rank: 0, forms }], obstacles, bounds).get("") ?? null,
  };
}

/** The rings at which messages were held together, even those that have arrived since: one for all that meet. */
function withoutCoveredRings(items: readonly ShownItem[]): readonly ShownItem[] {
  const rings = new Map<string, Point[]>();
  return items.map((item) => {
    if (
      !isMessage(item) ||
      item.heldTo === null ||
      item.of.heldTo === null ||
      item.heldTo === item.to
    )
      return item;
    const ring = item.heldTo;
    const drawn = rings.get(keyOf(item.of)) ?? [];
    if (drawn.some((other) => meet(other, ring))) return { ...item, ringed: false };
    rings.set(keyOf(item.of), [...drawn, ring]);
    return item;
  });
}
