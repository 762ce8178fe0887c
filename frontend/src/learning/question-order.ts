/**
 * The order in which a reader sees the answers of a question: the same for a reader and a question
 * on every visit, different for others. The correct answer is as likely in one place as in another.
 */

import { store, storedDocument } from "../service/stored";

const KEY = "highwater-reader";

/** If nothing can be stored, the orders of this page are those of one reader. */
let kept: string | null = null;

/** A random name of this browser, which never leaves it. */
export function readerSeed(): string {
  const { seed } = storedDocument(KEY);
  if (typeof seed === "string" && seed !== "") return seed;
  kept ??= crypto.randomUUID();
  store(KEY, JSON.stringify({ seed: kept }));
  return kept;
}

/** The places of the author's answers, in the order in which they are shown. */
export function answerOrder(seed: string, question: string, answers: number): number[] {
  const next = randomBy(`${seed} ${question}`);
  const order = Array.from({ length: answers }, (_, place) => place);
  for (let last = answers - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}

/** Numbers from 0 to below 1, the same for the same text: FNV-1a, then mulberry32. */
function randomBy(text: string): () => number {
  let state = 0x811c9dc5;
  for (const character of text)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
