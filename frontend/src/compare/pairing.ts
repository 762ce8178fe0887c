/** Pairs the frames of two runs: the service returns the pairs, and steps end together. */

import type { Comparison } from "../service/api";
import type { Replica, State } from "../trace";
import type { RowDifference } from "../view/stage";

export interface Beside {
  /** A position on the other path. */
  readonly index: number;
  /** Whether the two sides differ at the end of this step; null inside a step. */
  readonly differs: boolean | null;
}

/**
 * The position of the other run while this one is at `index` of `path`. At the end of a step it is
 * the end of that step; inside a step, it is the same number of actions into it, limited to its
 * end.
 */
export function besideOf(
  steps: Comparison["steps"],
  path: readonly number[],
  otherPath: readonly number[],
  index: number,
): Beside {
  let [ended, endedBeside, differs] = [0, 0, false];
  for (const step of steps) {
    const [end, endBeside] = [path.indexOf(step.frame_a), otherPath.indexOf(step.frame_b)];
    if (end < 0 || endBeside < 0) continue;
    if (end > index)
      return index === ended
        ? { index: endedBeside, differs }
        : { index: Math.min(endedBeside + index - ended, endBeside), differs: null };
    [ended, endedBeside, differs] = [end, endBeside, step.differs];
  }
  const last = otherPath.length - 1;
  return index === ended
    ? { index: endedBeside, differs }
    : { index: Math.min(endedBeside + index - ended, last), differs: null };
}

export interface OneSidedFall {
  readonly here: boolean;
  /** The first step at which it is violated, on the side that violates it. */
  readonly step: number;
  /** The frame of the run on the page to show: the first violation, or the frame paired with it. */
  readonly frame: number;
}

/** The first property that only one side violates, with the exact step of the violation. */
export function oneSidedFall(
  fallen: NonNullable<Comparison["property"]>,
  stepHere: (frame: number) => number,
  stepThere: (frame: number) => number,
): OneSidedFall {
  const here = fallen.violated_in === "a";
  const first = fallen.first_frame ?? (here ? fallen.frame_a : fallen.frame_b);
  return { here, step: (here ? stepHere : stepThere)(first), frame: here ? first : fallen.frame_a };
}

/** The first property that only one side violates, unless it is the loss that is named already. */
export function furtherProperty({ property, loss }: Comparison): Comparison["property"] {
  return property !== null &&
    property.name === loss?.name &&
    property.violated_in === loss.violated_in
    ? null
    : property;
}

/**
 * The positions that the other path passes when this one moves to `index`: its events meanwhile.
 * Empty if the other one does not move.
 */
export function passedBeside(
  steps: Comparison["steps"],
  path: readonly number[],
  otherPath: readonly number[],
  index: number,
): number[] {
  const to = besideOf(steps, path, otherPath, index).index;
  const from = index === 0 ? to : besideOf(steps, path, otherPath, index - 1).index;
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + 1 + place);
}

/**
 * The offsets at which two copies of a log have different records, or only one of them has a
 * record.
 */
export function differingOffsets(one: Replica | undefined, other: Replica | undefined): number[] {
  const values = (replica: Replica | undefined): Map<number, string> =>
    new Map((replica?.log ?? []).map((record) => [record.offset, record.value]));
  const [here, there] = [values(one), values(other)];
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((offset) => here.get(offset) !== there.get(offset))
    .sort((a, b) => a - b);
}

/** What differs in a partition of two runs, broker by broker; a broker without a difference is left out. */
export function differencesOf(here: State, there: State, partition: string): RowDifference[] {
  const [one, other] = [here.replicas[partition] ?? {}, there.replicas[partition] ?? {}];
  const [inSync, inSyncThere] = [
    here.partitions[partition]?.isr ?? [],
    there.partitions[partition]?.isr ?? [],
  ];
  const brokers = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return brokers
    .map((broker) => ({
      ...differenceOf(Number(broker), one[broker], other[broker]),
      isr: inSync.includes(Number(broker)) !== inSyncThere.includes(Number(broker)),
    }))
    .filter(
      ({ offsets, highWatermark, logEndOffset, isr, state }) =>
        offsets.length > 0 || highWatermark || logEndOffset || isr || state,
    );
}

function differenceOf(
  broker: number,
  one: Replica | undefined,
  other: Replica | undefined,
): Omit<RowDifference, "isr"> {
  return {
    broker,
    offsets: differingOffsets(one, other),
    highWatermark: shownHighWatermark(one) !== shownHighWatermark(other),
    logEndOffset: one?.log_end_offset !== other?.log_end_offset,
    state: one?.role !== other?.role || one?.broker_state !== other?.broker_state,
  };
}

/** Of a broker that is down, the one in its file. */
function shownHighWatermark(replica: Replica | undefined): number | null {
  return replica?.high_watermark ?? replica?.checkpoints.high_watermark ?? null;
}

/** The name of a place in the state, with its broker and partition. */
export function placeOf(where: string): { readonly word: string; readonly broker: string } {
  const parts = where.split("/").slice(1);
  return {
    word: parts[parts.length - 1] ?? "",
    broker: parts[0] === "replicas" ? (parts[2] ?? "") : "",
  };
}
