/**
 * The time axis of the diagram: one slot for each frame, wider if it has labels, and slots for time
 * in which nothing happened.
 */

import { formsOf, isErrorName, labelWidth, type Segment } from "./diagram-labels";
import type { DiagramModel } from "./diagram-model";
import type { Rectangle } from "./rectangle";

export interface DiagramAxis {
  /** The position of each column's moment. */
  readonly moments: readonly number[];
  /** The length of each column's slot. */
  readonly lengths: readonly number[];
  /** The start of each step, followed by the end of the last one. */
  readonly edges: readonly number[];
  readonly length: number;
  /** The length of folded time. */
  readonly idle: number;
  /** The room before the first slot of each step, for its name. */
  readonly heading: number;
}

export interface AxisMeasures {
  /** The slot length of a frame without labels, with a message, and with a label. */
  readonly silent: number;
  readonly crossed: number;
  readonly worded: number;
  /**
   * The additional length if a client sends a request and receives the response in the same frame.
   */
  readonly responded: number;
  /** Room after the slot of a frame with an error: by so much more than the width of its name on two lines. Null: none. */
  readonly errors: number | null;
  /** The length of folded time. */
  readonly idle: number;
  /** The minimum length of a step, for its name. */
  readonly step: number;
  /** Room after the last slot of a step, for a label right of its moment. */
  readonly tail: number;
  /** Room before the first slot of a step, for its name if time runs downward. */
  readonly heading: number;
}

/** Time to the right: labels need their width. */
export const ALONG: AxisMeasures = {
  silent: 38,
  crossed: 54,
  worded: 80,
  responded: 26,
  errors: 24,
  idle: 44,
  step: 124,
  tail: 28,
  heading: 0,
};
/** Time downward: labels need one line. */
export const DOWN: AxisMeasures = {
  silent: 24,
  crossed: 34,
  worded: 40,
  responded: 12,
  errors: null,
  idle: 30,
  step: 40,
  tail: 0,
  heading: 28,
};

/** Where time runs downward, a label reaches at most so far into the heading of a step. */
export const LABEL_MARGIN = 6;
/** No step is made longer than this for its name. */
const MOST_FOR_NAME = 176;

/** `nameWidth` is the room that the name of a step wants. */
export function layoutDiagramAxis(
  model: DiagramModel,
  measures: AxisMeasures,
  nameWidth: (band: number) => number = () => 0,
): DiagramAxis {
  const moments: number[] = [];
  const lengths: number[] = [];
  const edges: number[] = [0];
  let at = 0;
  for (const [number, band] of model.bands.entries()) {
    const start = at;
    at += measures.heading;
    let most = 0;
    for (let column = band.first; column <= band.last; column += 1)
      most += slot(model, column, measures) + roomForError(model, column, measures);
    // A short step's slots share the missing length.
    const least =
      most < MOST_FOR_NAME
        ? Math.max(measures.step, Math.min(nameWidth(number), MOST_FOR_NAME))
        : measures.step;
    const more =
      Math.max(0, least - measures.heading - measures.tail - most) / (band.last - band.first + 1);
    for (let column = band.first; column <= band.last; column += 1) {
      if (model.idle[column] !== null) at += measures.idle;
      const length = slot(model, column, measures) + more;
      lengths.push(length);
      moments.push(at + length / 2);
      at += length + roomForError(model, column, measures);
    }
    at += measures.tail;
    if (at - start < 1) at = start + 1;
    edges.push(at);
  }
  return { moments, lengths, edges, length: at, idle: measures.idle, heading: measures.heading };
}

function slot(model: DiagramModel, column: number, measures: AxisMeasures): number {
  const frame = model.frames[column];
  if (frame === undefined) return 0;
  const { dots, jumps } = model.factsOf(frame);
  if (dots.length > 0) return measures.worded + (jumps.length > 1 ? measures.responded : 0);
  return jumps.length > 0 || frame.moves.length > 0 ? measures.crossed : measures.silent;
}

function roomForError(model: DiagramModel, column: number, measures: AxisMeasures): number {
  const frame = model.frames[column];
  if (frame === undefined || measures.errors === null) return 0;
  const { dots, jumps } = model.factsOf(frame);
  const numbers = [
    ...[...dots, ...jumps].map(({ label }) => label.numbers),
    ...frame.moves.map(({ message }) => message?.numbers),
  ];
  const names = numbers
    .flatMap((one) => [one?.error, one?.what])
    .filter((name) => typeof name === "string" && isErrorName(name));
  return names.length === 0
    ? 0
    : measures.errors +
        Math.max(...names.map((name) => labelWidth(formsOf(String(name)).at(-1) ?? [])));
}

/**
 * The position of a column's moment, or of a point within its slot: −0.5 is its start, 0.5 its end.
 */
export function along(axis: DiagramAxis, column: number, part = 0): number {
  return (axis.moments[column] ?? axis.length) + part * (axis.lengths[column] ?? 0);
}

type Extent = readonly [number, number];

/** The line of a moment, across the lanes; time runs downward if `vertical`. */
export function momentLine(vertical: boolean, at: number, [from, to]: Extent): Segment {
  return vertical ? { x1: from, y1: at, x2: to, y2: at } : { x1: at, y1: from, x2: at, y2: to };
}

/** The line of a lane, along time. */
export function laneLine(vertical: boolean, lane: number, extent: Extent): Segment {
  return momentLine(!vertical, lane, extent);
}

/** A part of time, and its extent across the lanes. */
export function partOfTime(vertical: boolean, time: Extent, across: Extent): Rectangle {
  const [[x, toX], [y, toY]] = vertical ? [across, time] : [time, across];
  return { x, y, width: toX - x, height: toY - y };
}

/** Where time runs downward, the names of the steps: within the margins of their headings, which labels may use. */
export function stepNames({ edges, heading }: DiagramAxis, across: number): Rectangle[] {
  return edges.slice(0, -1).map((edge) => ({
    x: 0,
    y: edge + LABEL_MARGIN,
    width: across,
    height: heading - 2 * LABEL_MARGIN,
  }));
}

/** The start and the end of the folded time before a column. */
export function foldBefore(axis: DiagramAxis, column: number): readonly [number, number] {
  const end = along(axis, column, -0.5);
  return [end - axis.idle + 4, end - 4];
}

/** The column whose slot contains a point; otherwise the nearest one. */
export function columnAt(axis: DiagramAxis, at: number): number {
  let low = 0;
  let high = axis.moments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((axis.moments[middle] ?? 0) - (axis.lengths[middle] ?? 0) / 2 <= at) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
