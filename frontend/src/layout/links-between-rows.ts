/** What is between the rows, in the gutter: the arcs of messages, and cut links. */

import type { Frame, Message } from "../trace";
import type { RowLayout } from "./replica-row";

const ARC_LANE = 13;
/** Lower cells have their broker's name higher. Arrow heads are beside the name, above the text below it. */
const ROOMY_CELL = 36;

export interface ArcLayout {
  readonly message: Message;
  readonly path: string;
  readonly arrow: string;
  readonly dot: { readonly x: number; readonly y: number };
}

/** One direction of a cut link. */
export interface BrokenLinkLayout {
  readonly from: Message["from"];
  readonly to: Message["from"];
  /** The two ends, with a gap between them. */
  readonly path: string;
  readonly arrow: string;
  /** The position of the cross in the gap. */
  readonly cross: { readonly x: number; readonly y: number };
}

/** Each direction of each cut link, outside the message arcs. */
export function layoutBrokenLinks(frame: Frame, rows: readonly RowLayout[], gutter: number, bottom: number): BrokenLinkLayout[] {
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

/** An arc in the gutter for each message, each in a separate lane while there are lanes. */
export function layoutArcs(messages: readonly Message[], rows: readonly RowLayout[], gutter: number, bottom: number): ArcLayout[] {
  const rowY = (endpoint: Message["from"]): number | null => {
    if (endpoint === "controller") return bottom;
    const row = rows.find((candidate) => candidate.broker === endpoint);
    return row === undefined ? null : row.cellY + (row.cellHeight < ROOMY_CELL ? 2 : 8);
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
