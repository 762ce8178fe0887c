/** The arithmetic of the insights page: scales and what a row says. No DOM. */

import type { FaultRow, Insights, LossRow } from "./api";

export function percent(rate: number): string {
  const value = rate * 100;
  return `${value.toFixed(value !== 0 && value < 10 ? 1 : 0)} %`;
}

/** The rows of one dimension in the order of their Kafka version, oldest first. */
export function rowsOf(insights: Insights, dimension: string, acks: string | null = null): LossRow[] {
  return insights.loss
    .filter((row) => row.dimension === dimension && (acks === null || row.acks === acks) && row.exercised > 0)
    .sort((one, other) => compareVersions(one.kafka ?? "", other.kafka ?? ""));
}

export function compareVersions(one: string, other: string): number {
  const parts = (text: string): number[] => text.split(".").map(Number);
  const [left, right] = [parts(one), parts(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The end of an axis that begins at zero: the first tenth that holds every interval. */
export function axisEnd(rows: readonly LossRow[]): number {
  const highest = Math.max(0.1, ...rows.map((row) => row.high ?? row.rate ?? 0));
  return Math.min(1, Math.ceil(highest * 10) / 10);
}

/** The version that lost records in the largest share of its runs; null where none lost any. */
export function worstOf(rows: readonly LossRow[]): LossRow | null {
  const lossy = rows.filter((row) => row.lost > 0);
  return lossy.reduce<LossRow | null>((worst, row) => ((row.rate ?? 0) > (worst?.rate ?? -1) ? row : worst), null);
}

export function notExercised(insights: Insights): number {
  return insights.loss.filter((row) => row.dimension === "version").reduce((sum, row) => sum + row.not_exercised, 0);
}

export function faultsBehind(insights: Insights): FaultRow[] {
  return insights.faults.filter((row) => row.last_before_loss > 0).sort((one, other) => other.last_before_loss - one.last_before_loss);
}
