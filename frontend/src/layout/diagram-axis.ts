/** Time along one side of the diagram: a slot a frame, wider where more is said, and slots for time in which nothing happened. */

import { factsOf } from "./diagram-facts";
import type { DiagramModel } from "./diagram-model";

export interface DiagramAxis {
  /** Where the moment of each column stands. */
  readonly moments: readonly number[];
  /** How long the slot of each column is, around its moment. */
  readonly lengths: readonly number[];
  /** Where each step begins and, one further, where the last one ends. */
  readonly edges: readonly number[];
  readonly length: number;
}

export interface AxisMeasures {
  /** The slot of a frame of which nothing is said, of one with a message, and of one with words. */
  readonly silent: number;
  readonly crossed: number;
  readonly worded: number;
  /** What it takes more where a client both asks and is answered in it. */
  readonly answered: number;
  /** What a folded time takes. */
  readonly idle: number;
  /** The least that a step takes, for its name. */
  readonly step: number;
  /** Room before the first slot of a step, for its name where time runs downward. */
  readonly heading: number;
}

/** Time to the right: words need their width. */
export const ALONG: AxisMeasures = { silent: 38, crossed: 54, worded: 80, answered: 26, idle: 44, step: 124, heading: 0 };
/** Time downward: words need one line. */
export const DOWN: AxisMeasures = { silent: 24, crossed: 34, worded: 40, answered: 12, idle: 30, step: 40, heading: 28 };

export function layoutDiagramAxis(model: DiagramModel, measures: AxisMeasures): DiagramAxis {
  const moments: number[] = [];
  const lengths: number[] = [];
  const edges: number[] = [0];
  let at = 0;
  for (const band of model.bands) {
    const start = at;
    at += measures.heading;
    let most = 0;
    for (let column = band.first; column <= band.last; column += 1) most += slot(model, column, measures);
    // What a short step lacks, its slots share.
    const more = Math.max(0, measures.step - measures.heading - most) / (band.last - band.first + 1);
    for (let column = band.first; column <= band.last; column += 1) {
      if (model.idle[column] !== null) at += measures.idle;
      const length = slot(model, column, measures) + more;
      lengths.push(length);
      moments.push(at + length / 2);
      at += length;
    }
    if (at - start < 1) at = start + 1;
    edges.push(at);
  }
  return { moments, lengths, edges, length: at };
}

function slot(model: DiagramModel, column: number, measures: AxisMeasures): number {
  const frame = model.frames[column];
  if (frame === undefined) return 0;
  const { dots, jumps } = factsOf(frame);
  if (dots.length > 0) return measures.worded + (jumps.length > 1 ? measures.answered : 0);
  return jumps.length > 0 || (frame.moves ?? []).length > 0 ? measures.crossed : measures.silent;
}

/** Where a column's moment stands, or a point within its slot: −0.5 is its start, 0.5 its end. */
export function along(axis: DiagramAxis, column: number, part = 0): number {
  return (axis.moments[column] ?? axis.length) + part * (axis.lengths[column] ?? 0);
}

/** The column whose slot holds a point; the nearest one, between slots and beyond. */
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
