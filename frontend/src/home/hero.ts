/** The story of the front page: two runs of one lesson over one playhead. Pure functions of their frames. */

import { recordsCut } from "../layout/log-cells";
import type { FrontPage } from "../service/api";
import type { Frame } from "../trace";
import { readingMs } from "../trace/playback-times";

/** The duration of the whole in ms; of it, that of a step without a sentence, and the least of one with a sentence. */
export const WHOLE_MS = 12_000;
const PASSING_MS = 200;
const SHORTEST_MS = 900;

export type Moment = FrontPage["moments"][number];
export type IntroducedTerm = Moment["terms"][number];

/** The moment of a step: the step itself, or the last moment before it. */
export function momentAt(moments: readonly Moment[], step: number): Moment | undefined {
  return moments.findLast((moment) => moment.step <= step) ?? moments[0];
}

/** The nearest moment after a step (1) or before it (-1). */
export function momentFrom(
  moments: readonly Moment[],
  step: number,
  direction: 1 | -1,
): Moment | undefined {
  return direction === 1
    ? moments.find((moment) => moment.step > step)
    : moments.findLast((moment) => moment.step < step);
}

/** The terms that are introduced up to a moment, in order. */
export function termsUpTo(moments: readonly Moment[], moment: Moment): IntroducedTerm[] {
  return moments.filter(({ step }) => step <= moment.step).flatMap(({ terms }) => terms);
}

/**
 * The duration of a step in ms. Every sentence gets the least; what is left of the whole is shared
 * in proportion to the time that each one still needs to be read. The last moment stays.
 */
export function restMs(
  moments: readonly Moment[],
  step: number,
  said: (moment: Moment) => string,
): number {
  const here = moments.find((moment) => moment.step === step);
  if (here === undefined) return PASSING_MS;
  const read = moments.slice(0, -1);
  const passing = (moments.at(-1)?.step ?? 0) - (moments[0]?.step ?? 0) - read.length;
  const left = WHOLE_MS - passing * PASSING_MS - read.length * SHORTEST_MS;
  const missing = (moment: Moment): number => readingMs(said(moment));
  const all = read.reduce((sum, moment) => sum + missing(moment), 0);
  return SHORTEST_MS + (left * missing(here)) / all;
}

/** What a release has done to the record of the story by a step; the page has the words. */
export interface Standing {
  readonly what: "acknowledged" | "cut" | "at_risk" | "lost" | "kept";
  readonly value: string;
  /** The broker that has just truncated it. */
  readonly broker?: number;
}

/** How the last acknowledged record of a run stands after a step; null before it is acknowledged. */
export function standingAt(frames: readonly Frame[], step: number): Standing | null {
  const frame = frames[step];
  const place = frames.at(-1)?.state.clients.produced.findLastIndex(isAcknowledged) ?? -1;
  const record = frame?.state.clients.produced[place];
  if (frame === undefined || record === undefined || !isAcknowledged(record)) return null;
  const { value, fate } = record;
  if (fate === "lost" || fate === "at_risk") return { what: fate, value };
  const broker = Object.keys(frame.state.brokers)
    .map(Number)
    .find((one) =>
      recordsCut(frame, partitionOf(frame), one).some((removed) => removed.id === record.id),
    );
  if (broker !== undefined) return { what: "cut", value, broker };
  return { what: step === frames.length - 1 ? "kept" : "acknowledged", value };
}

const isAcknowledged = ({ outcome }: { readonly outcome: string }): boolean => outcome === "acked";

/** The only partition of the story. */
export function partitionOf(frame: Frame): string {
  return Object.keys(frame.state.partitions)[0] ?? "";
}

/** A piece of a sentence; `term` is one that it introduces. */
export interface Piece {
  readonly text: string;
  readonly term: boolean;
}

/** Splits a sentence at the words that it introduces. */
export function markedPieces(said: string, words: readonly string[]): Piece[] {
  const word = words.find((one) => said.includes(one));
  if (word === undefined) return said === "" ? [] : [{ text: said, term: false }];
  const at = said.indexOf(word);
  const others = words.filter((one) => one !== word);
  return [
    ...markedPieces(said.slice(0, at), others),
    { text: word, term: true },
    ...markedPieces(said.slice(at + word.length), others),
  ];
}
