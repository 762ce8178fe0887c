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

export interface SettingRuns {
  readonly setting: "acks" | "min.insync.replicas" | "replication_factor";
  readonly value: string;
  readonly runs: number;
  readonly lost: number;
}

/** Runs by one setting, with those that lost a record that was acknowledged with all, or with the acks counted. */
export function runsBySetting(rows: readonly LossRow[]): SettingRuns[] {
  return rows.flatMap((row): SettingRuns[] => {
    const { runs, lost } = row;
    if (row.dimension === "acks" && row.acks !== null) return [{ setting: "acks", value: row.acks, runs, lost }];
    if (row.dimension === "min_insync_replicas" && row.min_insync_replicas !== null) return [{ setting: "min.insync.replicas", value: String(row.min_insync_replicas), runs, lost }];
    if (row.dimension === "replication_factor" && row.replication_factor !== null) return [{ setting: "replication_factor", value: String(row.replication_factor), runs, lost }];
    return [];
  });
}

/** Of a release's runs, those that lost a record acknowledged with acks=1; null where no row says. */
export function lostWithAcks1(rows: readonly LossRow[], kafka: string): number | null {
  return rows.find((row) => row.dimension === "version_acks" && row.kafka === kafka && row.acks === "1")?.lost ?? null;
}

/** Faults that came last before a loss, the most frequent first. */
export function faultsBehind(faults: readonly FaultRow[]): FaultRow[] {
  return faults.filter((row) => row.last_before_loss > 0).sort((a, b) => b.last_before_loss - a.last_before_loss);
}
