/** Revealed votes: the count of each answer, the total, and the percentage. */

export interface Counted {
  readonly count: number;
  readonly total: number;
  readonly percent: number;
}

/** One entry for each answer; null if the votes are not revealed. */
export function countVotes(answers: number, votes: readonly number[] | null): Counted[] | null {
  if (votes === null) return null;
  const counts = Array.from({ length: answers }, (_, choice) => votes[choice] ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => ({ count, total, percent: total === 0 ? 0 : Math.round((100 * count) / total) }));
}
