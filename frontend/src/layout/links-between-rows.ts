/**
 * What is between the rows, in the gutter: the arcs of messages, and cut links. They have a band of
 * their own, between the texts and the log, whether or not any are there.
 */

import type { Frame, Message } from "../trace";
import type { Point } from "./rectangle";
import type { RowLayout } from "./replica-row";

interface Lanes {
  /** From the log to the first lane of cut links, and between their lanes. */
  readonly link: number;
  readonly linkApart: number;
  /** From the log to the first lane of arcs, their number, and between them. */
  readonly arc: number;
  readonly arcs: number;
  readonly arcApart: number;
  /** How far the control point of an arc is to the left of its ends: twice as far as its middle. */
  readonly bulge: number;
}

const LANES: Lanes = { link: 18, linkApart: 8, arc: 33, arcs: 3, arcApart: 12, bulge: 10 };
const LANES_DENSE: Lanes = { link: 16, linkApart: 7, arc: 30, arcs: 2, arcApart: 11, bulge: 8 };
const ROOMY_GUTTER = 220;
const DENSE_GUTTER = 170;
/** The radius of a message's dot. */
const DOT = 6;

/** The lanes in a gutter of this width; null if it has room for a name only. */
function lanesIn(gutter: number): Lanes | null {
  return gutter >= ROOMY_GUTTER ? LANES : gutter >= DENSE_GUTTER ? LANES_DENSE : null;
}

/** The width of the band of the lines between the rows at the right end of a gutter; 0 if they are not drawn. */
export function linesRoom(gutter: number): number {
  const lanes = lanesIn(gutter);
  return lanes === null ? 0 : lanes.arc + (lanes.arcs - 1) * lanes.arcApart + lanes.bulge / 2 + DOT;
}

/** Lower cells have their broker's name higher. Arrow heads are beside the name, above the text below it. */
const ROOMY_CELL = 36;

export interface ArcLayout {
  readonly message: Message;
  readonly path: string;
  readonly arrow: string;
  readonly dot: Point;
}

/** One direction of a cut link. */
export interface BrokenLinkLayout {
  readonly from: Message["from"];
  readonly to: Message["from"];
  /** The two ends, with a gap between them. */
  readonly path: string;
  readonly arrow: string;
  /** The position of the cross in the gap. */
  readonly cross: Point;
}

/** Each direction of each cut link, between the message arcs and the log. */
export function layoutBrokenLinks(
  frame: Frame,
  rows: readonly RowLayout[],
  gutter: number,
  bottom: number,
): BrokenLinkLayout[] {
  const lanes = lanesIn(gutter);
  if (lanes === null) return [];
  const yOf = (endpoint: Message["from"]): number | null =>
    endpoint === "controller"
      ? bottom
      : (rows.find((row) => row.broker === endpoint)?.cellY ?? null);
  const cut = rows.flatMap((row) =>
    (frame.state.brokers[String(row.broker)]?.cut_from ?? []).map((to) => ({
      from: row.broker as Message["from"],
      to,
    })),
  );
  for (const to of frame.state.controller.cut_from) cut.push({ from: "controller", to });
  return cut.flatMap(({ from, to }, index): BrokenLinkLayout[] => {
    const start = yOf(from);
    const end = yOf(to);
    if (start === null || end === null || start === end) return [];
    const down = end > start ? 1 : -1;
    const x = gutter - lanes.link - (index % 2) * lanes.linkApart;
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

/**
 * An arc in the gutter for each message, in a lane that no other arc uses at this height; if there
 * is none, between two lanes.
 */
export function layoutArcs(
  messages: readonly Message[],
  rows: readonly RowLayout[],
  gutter: number,
  bottom: number,
): ArcLayout[] {
  const lanes = lanesIn(gutter);
  if (lanes === null) return [];
  const rowY = (endpoint: Message["from"]): number | null => {
    if (endpoint === "controller") return bottom;
    const row = rows.find((candidate) => candidate.broker === endpoint);
    return row === undefined ? null : row.cellY + (row.cellHeight < ROOMY_CELL ? 2 : 8);
  };
  const arcs: ArcLayout[] = [];
  const taken = Array.from(
    { length: lanes.arcs },
    (): { readonly top: number; readonly end: number }[] => [],
  );
  for (const message of messages) {
    const from = rowY(message.from);
    const to = rowY(message.to);
    if (from === null || to === null) continue;
    const [top, end] = [Math.min(from, to), Math.max(from, to)];
    const met = taken.map(
      (others) => others.filter((other) => other.top < end && top < other.end).length,
    );
    const lane = met.indexOf(Math.min(...met));
    taken[lane]?.push({ top, end });
    const between = (met[lane] ?? 0) / (1 + (met[lane] ?? 0));
    // The last lane has texts on its left.
    const x =
      gutter -
      lanes.arc -
      (lane < lanes.arcs - 1 ? lane + between : lane - 1.5 * between) * lanes.arcApart;
    const bulge = x - lanes.bulge;
    const middle = (from + to) / 2;
    const down = to > from ? 1 : -1;
    const startY = message.from === "controller" ? from : from + down * 2;
    const endY = message.to === "controller" ? to - 4 : to;
    const at = message.parked ? 0.86 : message.held ? 0.2 : 0.5;
    arcs.push({
      message,
      path: `M${x} ${startY}Q${bulge} ${middle} ${x} ${endY}`,
      arrow: `M${x - 7} ${endY - down * 8}L${x} ${endY}L${x + 2} ${endY - down * 10}`,
      dot: quadratic({ x, y: startY }, { x: bulge, y: middle }, { x, y: endY }, at),
    });
  }
  return arcs;
}

/** A point of a quadratic curve, at a part from 0 (start) to 1 (end). */
function quadratic(a: Point, b: Point, c: Point, t: number): Point {
  const mix = (from: number, control: number, to: number) =>
    (1 - t) ** 2 * from + 2 * (1 - t) * t * control + t ** 2 * to;
  return { x: mix(a.x, b.x, c.x), y: mix(a.y, b.y, c.y) };
}
