/** The timing of playback. */

import type { Stop } from "./story";

/** How long (ms) one passing message is shown, and all messages of a step together. */
const PASSING_MS = 240;
const LONGEST_PASSING_MS = 2400;
/** The same after an action or a press, when messages pass faster. */
const QUICK_MS = 130;
const LONGEST_QUICK_MS = 900;
/** The reading time (ms) of a text: a base and a time for each character, between two bounds. */
const NOTICING_MS = 900;
const READING_MS = 42;
const SHORTEST_MS = 1500;
const LONGEST_MS = 7500;
/** Chinese says as much in a third of the characters. */
const WIDE = /[\u2e80-\u9fff\uff00-\uffef]/g;
const WIDE_WEIGHT = 2;

/** The time of one passing message of a step. */
export function passingMs(stop: Stop): number {
  return Math.min(PASSING_MS, LONGEST_PASSING_MS / (stop.to - stop.from + 1));
}

/** The time of one of so many messages that pass after a press. */
export function quickMs(messages: number): number {
  return Math.min(QUICK_MS, LONGEST_QUICK_MS / messages);
}

/** The reading time of a text. */
export function readingMs(said: string): number {
  const length = said.length + (said.match(WIDE)?.length ?? 0) * WIDE_WEIGHT;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, NOTICING_MS + READING_MS * length));
}
