/** What people shared, counted: examples that somebody chose, never a sample, so there are no rates. */

import type { FaultRow, LossRow } from "../service/api";

export interface VersionRuns {
  readonly kafka: string;
  readonly runs: number;
  readonly lost: number;
}

export function compareVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Runs by release, with those that lost a record acknowledged with acks=all; the oldest release first. */
export function runsByVersion(rows: readonly LossRow[]): VersionRuns[] {
  return rows
    .filter((row) => row.dimension === "version" && row.kafka !== null)
    .map((row) => ({ kafka: row.kafka ?? "", runs: row.runs, lost: row.lost }))
    .sort((a, b) => compareVersions(a.kafka, b.kafka));
}

/** Faults that came last before a loss, the most frequent first. */
export function faultsBehind(faults: readonly FaultRow[]): FaultRow[] {
  return faults.filter((row) => row.last_before_loss > 0).sort((a, b) => b.last_before_loss - a.last_before_loss);
}
