/** What a stage is asked to lay out: a frame, the room, and what of it the user has opened. */

import type { Frame, TraceEvent } from "../trace";
import type { BeliefLabel } from "./flag-band";
import type { Fold } from "./folding";

/** A complete row; a row without epochs; or only the log next to its broker's name. */
export type RowDetail = "all" | "withoutEpochs" | "names";

export interface StageRequest {
  readonly frame: Frame;
  readonly previous: Frame | null;
  /** The frame whose messages are shown; omitted: the same frame. */
  readonly waiting?: Frame;
  readonly partition: string;
  readonly width: number;
  /** The place that the user scrolled to, if the opened folds do not fit. */
  readonly scrolledTo: number | null;
  /** The offset that the user is looking at, which takes precedence; omitted: none. */
  readonly looksAt?: number | null;
  /** The folds that the user has opened. */
  readonly opened: readonly Fold[];
  /** Whether messages have cards in their receiver's row. */
  readonly cards: boolean;
  /** Rows are only as tall as their contents. */
  readonly dense: boolean;
  /** The parts that rows omit if height is short; omitted: none. */
  readonly detail?: RowDetail;
  /** Whether the offsets are above the logs; omitted: they are. */
  readonly withOffsets?: boolean;
  /** Cells are large and fill the width, to be read from afar; omitted: they are not. */
  readonly presented?: boolean;
  /** Rows are lower, so that there is room for what is below the stage; omitted: they are not. */
  readonly low?: boolean;
  /** How much taller than otherwise rows are at least, if there is room left; omitted: not at all. */
  readonly taller?: number;
  /** The brokers in the order that their rows keep; omitted: that of the frame's assignment. */
  readonly order?: readonly number[] | undefined;
  /** The brokers with a row, if there is no room for all. */
  readonly brokers?: readonly number[];
  /** What it shares with the stage next to it; omitted: there is none. */
  readonly shared?: Shared;
  /** Brokers whose checkpoint files are open below their logs. */
  readonly filesOpen: ReadonlySet<number>;
  /** The number of lines of this width in the gutter below name, role and ISR state. */
  readonly extraLines: (broker: number, room: number) => number;
  readonly beliefLabel: BeliefLabel;
  /** Null: the labels of epochs are only numbers. */
  readonly epochLabel: ((epoch: number, start: number) => string) | null;
  /** The label of the offset to which a log is truncated, and a shorter one for less room. */
  readonly cutLabels: (event: TraceEvent) => readonly [string, string];
  /** The column of this partition, if several are side by side; omitted: it has the whole stage. */
  readonly column?: ColumnRequest;
}

/** The place of a partition that shares the stage with others. */
export interface ColumnPlace {
  /** The left edge of the column; the right edge is the layout's width. */
  readonly from: number;
  /** All partitions on the stage, from left to right. */
  readonly partitions: readonly string[];
  /**
   * The first column has what is drawn once: the names of the brokers, the lines between the rows,
   * and the cards of messages about no single partition.
   */
  readonly first: boolean;
}

export interface ColumnRequest extends ColumnPlace {
  readonly to: number;
}

/** What a row has in addition, in px, so that it is as high as the other stage's row of its broker. */
export interface SharedRow {
  /** The room above the row. */
  readonly gap: number;
  /** How much lower its cells are than they would be alone. */
  readonly lower: number;
  readonly height: number;
}

/** What a stage shares with the one next to it. */
export interface Shared {
  /** The offsets of both; omitted: each has its own. */
  readonly range?: { readonly lowest: number; readonly highest: number };
  readonly rows: ReadonlyMap<number, SharedRow>;
}
