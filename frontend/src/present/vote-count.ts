/** Revealed votes: the count of each answer, the total, and the percentage. */

export interface Counted {
  readonly count: number;
  readonly total: number;
  readonly percent: number;
}

/** One entry for each answer; null if the votes are not revealed, or if there are none. */
export function countVotes(answers: number, votes: readonly number[] | null): Counted[] | null {
  if (votes === null) return null;
  const counts = Array.from({ length: answers }, (_, choice) => votes[choice] ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total === 0
    ? null
    : counts.map((count) => ({ count, total, percent: Math.round((100 * count) / total) }));
}

/** The wrong answer with the most votes, the first of several; null if none has a vote. */
export function mostChosenWrong(
  counts: readonly Counted[] | null,
  correct: number | null,
): number | null {
  const wrong = (counts ?? [])
    .map(({ count }, choice) => ({ count, choice }))
    .filter(({ count, choice }) => count > 0 && choice !== correct);
  const most = Math.max(...wrong.map(({ count }) => count));
  return wrong.find(({ count }) => count === most)?.choice ?? null;
}
