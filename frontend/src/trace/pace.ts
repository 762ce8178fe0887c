/** How long what is shown stays while a run plays. */

import type { Stop } from "./story";

/** How long one message of a step is seen when it passes, and all of them together. */
const PASSING_MS = 240;
const LONGEST_PASSING_MS = 2400;
/** How long what is said stays: to notice it, and for each character; between the two bounds. */
const NOTICING_MS = 900;
const READING_MS = 42;
const SHORTEST_MS = 1500;
const LONGEST_MS = 7500;
/** Chinese says as much in a third of the characters. */
const WIDE = /[\u2e80-\u9fff\uff00-\uffef]/g;
const WIDE_WEIGHT = 2;

/** One message on the way through a step. */
export function passingMs(stop: Stop): number {
  return Math.min(PASSING_MS, LONGEST_PASSING_MS / (stop.to - stop.from + 1));
}

/** As long as a text takes to read. */
export function readingMs(said: string): number {
  const length = said.length + (said.match(WIDE)?.length ?? 0) * WIDE_WEIGHT;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, NOTICING_MS + READING_MS * length));
}
