/** Where a timeline's rows, dots and marks stand. Many steps share the room: some dots are left out, no step is. */

import { timelineMarkOf, TIMELINE_MARK_ORDER, type Frame, type TimelineMark } from "../trace";

/** One row: a branch, or the same steps under another version. It owns the steps `from`…`to`. */
export interface Line {
  readonly from: number;
  readonly to: number;
  /** The row that it parts from, at the step before `from`; null for one that begins at the start. */
  readonly parent: number | null;
  /** How wide its name is. */
  readonly labelWidth: number;
}

export interface PlacedLine {
  readonly y: number;
  readonly label: { readonly x: number; readonly y: number };
  /** The steps that get a dot. */
  readonly dots: readonly number[];
  /** From the row that it parts from to its first step. */
  readonly curve: string | null;
}

export interface Placed {
  readonly lines: readonly PlacedLine[];
  readonly height: number;
  readonly xOf: (step: number) => number;
  readonly stepAt: (x: number) => number;
  /** Which row a point belongs to; null where there is none near it. */
  readonly lineAt: (x: number, y: number) => number | null;
}

const PADDING = 14;
const FIRST_Y = 26;
const BELOW = 24;
const NAME_BELOW = 15;
const CLOSEST_DOTS = 9;
const CLOSEST_MARKS = 10;

export function placeLines(lines: readonly Line[], width: number): Placed {
  const last = Math.max(0, ...lines.map((line) => line.to));
  const room = Math.max(width - 2 * PADDING, 1);
  const pitch = last === 0 ? 0 : room / last;
  const every = Math.max(1, Math.ceil(CLOSEST_DOTS / Math.max(pitch, 0.001)));
  const xOf = (step: number): number => PADDING + step * pitch;
  const stepAt = (x: number): number => (pitch === 0 ? 0 : Math.min(last, Math.max(0, Math.round((x - PADDING) / pitch))));

  const placed: PlacedLine[] = [];
  let y = FIRST_Y;
  for (const line of lines) {
    const end = xOf(line.to) + 14;
    const beside = end + line.labelWidth <= width;
    // The first row's name stands at its end, where branches seldom leave it.
    const start = Math.max(0, Math.min(line.parent === null ? width : xOf(line.from) - 4, width - line.labelWidth));
    const above = line.parent === null ? undefined : placed[line.parent];
    placed.push({
      y,
      label: beside ? { x: end, y: y - 9 } : { x: start, y: y + 6 },
      dots: dotsBetween(line.from, line.to, every),
      curve: above === undefined ? null : curve(xOf(Math.max(line.from - 1, 0)), above.y, xOf(line.from), y),
    });
    y += BELOW + (beside || line.labelWidth === 0 ? 0 : NAME_BELOW);
  }
  const nearest = (x: number, at: number): number | null => {
    const found = lines
      .map((line, index) => ({ index, far: Math.abs((placed[index]?.y ?? 0) - at), inside: x >= xOf(Math.max(line.from - 1, 0)) - pitch / 2 && x <= xOf(line.to) + 12 }))
      .filter((one) => one.inside && one.far <= BELOW / 2 + 2)
      .sort((one, other) => one.far - other.far);
    return found[0]?.index ?? null;
  };
  return { lines: placed, height: y - BELOW + 14, xOf, stepAt, lineAt: nearest };
}

function dotsBetween(from: number, to: number, every: number): number[] {
  const dots: number[] = [];
  for (let step = from; step <= to; step += every) dots.push(step);
  if (to >= from && dots[dots.length - 1] !== to) dots.push(to);
  return dots;
}

function curve(x0: number, y0: number, x1: number, y1: number): string {
  const turn = Math.min(x1, x0 + Math.max(18, (y1 - y0) * 0.9));
  return `M${x0} ${y0}C${x0 + 8} ${y1} ${x0 + 8} ${y1} ${turn} ${y1}H${x1}`;
}

export interface Mark {
  readonly step: number;
  readonly kind: TimelineMark;
}

/** The marks that have room: of those too close to tell apart, the most telling one is drawn. */
export function marksWithRoom(marks: readonly Mark[], xOf: (step: number) => number): Mark[] {
  const shown: Mark[] = [];
  for (const mark of marks) {
    const before = shown[shown.length - 1];
    if (before === undefined || xOf(mark.step) - xOf(before.step) >= CLOSEST_MARKS) shown.push(mark);
    else if (TIMELINE_MARK_ORDER.indexOf(mark.kind) < TIMELINE_MARK_ORDER.indexOf(before.kind)) shown[shown.length - 1] = mark;
  }
  return shown;
}

/** Roughly how wide a name is drawn, Chinese characters being twice as wide as Latin ones. */
export function widthOfName(name: string): number {
  let width = 34;
  for (const sign of name) width += (sign.codePointAt(0) ?? 0) > 0x2e7f ? 12 : 6.4;
  return Math.min(width, 360);
}

/** The frame of this number: a path names only frames that there are. */
export function frameOf(frames: readonly Frame[], number: number): Frame {
  const frame = frames[number];
  if (frame === undefined) throw new Error(`there is no frame ${String(number)}`);
  return frame;
}

/** The marks of a branch from a step on, one a step at most. */
export function marksOf(frames: readonly Frame[], from: number): Mark[] {
  return frames.flatMap((frame, step) => {
    const kind = step < from ? null : timelineMarkOf(frame);
    return kind === null ? [] : [{ step, kind }];
  });
}
