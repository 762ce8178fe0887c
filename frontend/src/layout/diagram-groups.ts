/**
 * Messages under way that would be drawn over each other: those of one kind between the same two
 * ends, whose marks at the playhead meet, are one arrow. Looks at the visible items only.
 */

import { laneLine, momentLine, partOfTime } from "./diagram-axis";
import { labelBox, labelHeight, labelWidth, placeLabels, type Obstacles } from "./diagram-labels";
import type { Arrow } from "./diagram-model";
import {
  besideMark,
  coveredBy,
  onLine,
  placeAt,
  type DiagramPart,
  type ShownArrow,
  type ShownItem,
} from "./diagram-window";
import type { Point, Rectangle } from "./rectangle";

/** The marks of messages have this diameter, with a line around them. */
const MARK = 10;

export interface GroupRequest extends DiagramPart {
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
    const key = `${keyOf(of)} ${heldTo !== null}`;
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

function keyOf({ kind, from, to }: Arrow): string {
  return `${kind} ${from} ${to}`;
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
  const { items, index, playhead, vertical, across, names, lanes } = request;
  const mark = placeAt(arrow, index, playhead, vertical) ?? arrow.to;
  const forms = request.labelsOf(group.map(({ of }) => of)).map((text) => {
    const width = labelWidth([text]);
    return {
      lines: [text],
      width,
      middles: besideMark(mark, arrow.from, arrow.to, width, labelHeight(1), vertical),
    };
  });
  const labels = items.flatMap(({ label }) =>
    label === null ? [] : [labelBox(label, labelWidth(label.lines))],
  );
  const { boxes, lines } = coveredBy(request);
  const at = vertical ? mark.y : mark.x;
  const obstacles: Obstacles = {
    boxes: [...labels, ...names, ...boxes],
    lines,
    faint: lanes.map((lane) => laneLine(vertical, lane, [at - 500, at + 500])),
    stops: [momentLine(vertical, playhead, across)],
  };
  const bounds = partOfTime(vertical, [0, Number.MAX_SAFE_INTEGER], across);
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
