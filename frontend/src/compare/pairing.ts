/** Which frame of one run stands beside which of another: pairs come from the service, steps end together. */

import type { Comparison } from "../service/api";
import type { Replica } from "../trace";

export interface Beside {
  /** A place on the other path. */
  readonly index: number;
  /** Whether what has ended here differs from what has ended there; null inside a step. */
  readonly differs: boolean | null;
}

/**
 * Where the other run stands while this one stands at `index` of `path`. At the end of a step it is
 * the end of that step; inside one, as many actions into it, and no further than its end.
 */
export function besideOf(steps: Comparison["steps"], path: readonly number[], otherPath: readonly number[], index: number): Beside {
  let [ended, endedBeside, differs] = [0, 0, false];
  for (const step of steps) {
    const [end, endBeside] = [path.indexOf(step.frame_a), otherPath.indexOf(step.frame_b)];
    if (end < 0 || endBeside < 0) continue;
    if (end > index) return index === ended ? { index: endedBeside, differs } : { index: Math.min(endedBeside + index - ended, endBeside), differs: null };
    [ended, endedBeside, differs] = [end, endBeside, step.differs];
  }
  const last = otherPath.length - 1;
  return index === ended ? { index: endedBeside, differs } : { index: Math.min(endedBeside + index - ended, last), differs: null };
}

export interface OneSidedFall {
  readonly here: boolean;
  /** The step, on the side that it is violated on, at which it was violated first. */
  readonly step: number;
  /** The frame of the run on the page to look at: the first violation, or what stands beside it. */
  readonly frame: number;
}

/** The first property that one side alone violates: the step at which it fell, not the end of what it fell in. */
export function oneSidedFall(
  fallen: NonNullable<Comparison["property"]>,
  stepHere: (frame: number) => number,
  stepThere: (frame: number) => number,
): OneSidedFall {
  const here = fallen.violated_in === "a";
  const first = fallen.first_frame ?? (here ? fallen.frame_a : fallen.frame_b);
  return { here, step: (here ? stepHere : stepThere)(first), frame: here ? first : fallen.frame_a };
}

/**
 * The places on the other path that are passed as this one comes to stand at `index`: what happened
 * there meanwhile. None where the other one stays where it stood.
 */
export function passedBeside(steps: Comparison["steps"], path: readonly number[], otherPath: readonly number[], index: number): number[] {
  const to = besideOf(steps, path, otherPath, index).index;
  const from = index === 0 ? to : besideOf(steps, path, otherPath, index - 1).index;
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + 1 + place);
}

/** The offsets at which two copies of a log hold different records, or only one of them holds any. */
export function differingOffsets(one: Replica | undefined, other: Replica | undefined): number[] {
  const values = (replica: Replica | undefined): Map<number, string> =>
    new Map((replica?.log ?? []).map((record) => [record.offset, record.value]));
  const [here, there] = [values(one), values(other)];
  return [...new Set([...here.keys(), ...there.keys()])].filter((offset) => here.get(offset) !== there.get(offset)).sort((a, b) => a - b);
}

/** The brokers whose logs differ between two runs, and at which offsets. */
export function differingReplicas(here: Readonly<Record<string, Replica>>, there: Readonly<Record<string, Replica>>): { readonly replicas: number[]; readonly offsets: number[] } {
  const brokers = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  const differing = brokers.map((broker) => ({ broker: Number(broker), offsets: differingOffsets(here[broker], there[broker]) })).filter(({ offsets }) => offsets.length > 0);
  return { replicas: differing.map(({ broker }) => broker), offsets: [...new Set(differing.flatMap(({ offsets }) => offsets))].sort((a, b) => a - b) };
}

/** What a place in the state is called: the word for it, and whose it is. */
export function placeOf(where: string): { readonly word: string; readonly broker: string } {
  const parts = where.split("/").slice(1);
  return { word: parts[parts.length - 1] ?? "", broker: parts[0] === "replicas" ? (parts[2] ?? "") : "" };
}
