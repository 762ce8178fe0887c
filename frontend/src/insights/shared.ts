/** Counts of shared runs: they are chosen examples, not a sample, so there are no rates. */

import type { CauseRow, FaultRow, LossRow } from "../service/api";

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

export interface SettingRuns {
  readonly setting: "acks" | "min.insync.replicas" | "replication_factor";
  readonly value: string;
  readonly runs: number;
  readonly lost: number;
}

/**
 * Runs by one setting, with those that lost a record acknowledged with acks=all or, by acks, with
 * these acks.
 */
export function runsBySetting(rows: readonly LossRow[]): SettingRuns[] {
  return rows.flatMap((row): SettingRuns[] => {
    const { runs, lost } = row;
    if (row.dimension === "acks" && row.acks !== null)
      return [{ setting: "acks", value: row.acks, runs, lost }];
    if (row.dimension === "min_insync_replicas" && row.min_insync_replicas !== null)
      return [
        { setting: "min.insync.replicas", value: String(row.min_insync_replicas), runs, lost },
      ];
    if (row.dimension === "replication_factor" && row.replication_factor !== null)
      return [{ setting: "replication_factor", value: String(row.replication_factor), runs, lost }];
    return [];
  });
}

/** The runs of a release that lost a record acknowledged with acks=1; null if there is no row. */
export function lostWithAcks1(rows: readonly LossRow[], kafka: string): number | null {
  return (
    rows.find((row) => row.dimension === "version_acks" && row.kafka === kafka && row.acks === "1")
      ?.lost ?? null
  );
}

/** The last faults before a loss, the most frequent first. */
export function faultsBehind(faults: readonly FaultRow[]): FaultRow[] {
  return faults
    .filter((row) => row.last_before_loss > 0)
    .sort((a, b) => b.last_before_loss - a.last_before_loss);
}

/** The causes that were determined, the most frequent first. */
export function knownCauses(causes: readonly CauseRow[]): CauseRow[] {
  return causes.filter((row) => row.cause !== "unknown").sort((a, b) => b.runs - a.runs);
}

/** The runs whose cause the stored events do not determine. */
export function runsOfUnknownCause(causes: readonly CauseRow[]): number {
  return causes.find((row) => row.cause === "unknown")?.runs ?? 0;
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** The time since a moment, in the largest unit of which it is at least one: "3 hours ago". */
export function ago(written: string, now: Date, formats: string): string {
  const seconds = Math.max(0, (now.getTime() - new Date(written).getTime()) / 1000);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ["minute", 60];
  return new Intl.RelativeTimeFormat(formats, { numeric: "auto" }).format(
    -Math.floor(seconds / length),
    unit,
  );
}
