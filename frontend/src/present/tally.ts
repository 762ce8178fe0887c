/** Votes as they are told: of each answer its count, of how many, and that in per cent. */

export interface Counted {
  readonly count: number;
  readonly total: number;
  readonly percent: number;
}

/** One entry an answer; null where votes are not told. */
export function tallyOf(answers: number, votes: readonly number[] | null): Counted[] | null {
  if (votes === null) return null;
  const counts = Array.from({ length: answers }, (_, choice) => votes[choice] ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => ({ count, total, percent: total === 0 ? 0 : Math.round((100 * count) / total) }));
}
