/** The part of a run on the front page: how an acknowledged record is lost, in a few steps. */

import { inLanguage } from "../language";
import {
  headlineOf,
  sentence,
  type Catalogue,
  type EventName,
  type Frame,
  type Lang,
} from "../trace";
import { readingMs } from "../trace/playback-times";
import { sceneOf, stopAt, type Stop, type StopMark } from "../trace/story";

/** The total duration in ms; of it, the duration of a step that only leads to the next key step, and the least for a sentence. */
const WHOLE_MS = 15_500;
const PASSING_MS = 320;
const SHORTEST_MS = 1_200;
/** Events whose sentences are better than the step's summary. */
const TELLING: readonly EventName[] = ["RecordLost", "LogTruncated"];
const MOMENTS: readonly StopMark[] = ["truncation", "at_risk", "loss"];

/**
 * The key steps, from the one in which the record is written to its loss. The steps between them
 * are shown as well, but not told.
 */
export type Told = readonly [Stop, ...Stop[]];

/** The story of the first lost record; null if none is lost. */
export function toldOf(frames: readonly Frame[], stops: readonly Stop[]): Told | null {
  const lost = frames.at(-1)?.state.clients.produced.find((record) => record.fate === "lost");
  if (lost === undefined) return null;
  const stopOf = (number: number | null): Stop | undefined =>
    stopAt(
      stops,
      frames.findIndex((frame) => frame.frame === number),
    );
  const written = stopOf(lost.frame);
  const acknowledged = stopOf(lost.acked_frame);
  if (written === undefined || acknowledged === undefined) return null;
  const isKey = (stop: Stop): boolean =>
    stop === acknowledged ||
    (stop.from > acknowledged.to &&
      (stop.marks.some((mark) => MOMENTS.includes(mark)) || hasCrash(frames, stop)));
  return [written, ...stops.filter((stop) => stop !== written && isKey(stop))];
}

/** Whether a broker crashes in a step. Not every fault is a crash: a response can be lost as well. */
function hasCrash(frames: readonly Frame[], stop: Stop): boolean {
  return frames
    .slice(stop.from, stop.to + 1)
    .some((frame) => frame.events.some((event) => event.kind === "BrokerCrashed"));
}

/** The moment that is told during a step: the step itself, or the last moment before it. */
export function momentAt(told: Told, stop: Stop): Stop {
  return told.findLast((moment) => moment.from <= stop.from) ?? told[0];
}

/** The nearest moment after a frame (1) or before it (-1). */
export function momentFrom(told: Told, index: number, direction: 1 | -1): Stop | undefined {
  return direction === 1
    ? told.find((stop) => stop.to > index)
    : told.findLast((stop) => stop.to < index);
}

/** The sentence for a step. */
export function saidOf(
  frames: readonly Frame[],
  stop: Stop,
  catalogue: Catalogue,
  lang: Lang,
): string {
  const events = sceneOf(frames, stop)?.frame.events ?? [];
  const telling = TELLING.map((kind) => events.find((event) => event.kind === kind)).find(
    (event) => event !== undefined,
  );
  if (telling !== undefined) return sentence(catalogue, telling, lang);
  if (stop.summary !== null) return inLanguage(stop.summary, lang);
  const frame = frames[stop.to];
  const headline = frame === undefined ? undefined : headlineOf(frame);
  return headline === undefined ? "" : sentence(catalogue, headline, lang);
}

/** The rule that removed the record from the replica that was then elected. */
export function ruleBehind(frames: readonly Frame[], told: Told): string | null {
  const cut = told
    .flatMap((stop) => sceneOf(frames, stop)?.frame.events ?? [])
    .find((event) => event.kind === "LogTruncated");
  return cut?.rule ?? null;
}

/**
 * The duration of a step in ms. Every sentence gets the least; what is left of the total is shared in
 * proportion to the time that each one still needs to be read. None is shown longer than that.
 */
export function restMs(
  stops: readonly Stop[],
  told: Told,
  stop: Stop,
  said: (of: Stop) => string,
): number {
  if (!told.includes(stop)) return PASSING_MS;
  const missing = (one: Stop): number => readingMs(said(one)) - SHORTEST_MS;
  const read = told.slice(0, -1);
  const passing = stops.filter((one) => one.from > told[0].from && !told.includes(one)).length;
  const left = WHOLE_MS - passing * PASSING_MS - read.length * SHORTEST_MS;
  const wanted = read.reduce((sum, one) => sum + missing(one), 0);
  return SHORTEST_MS + missing(stop) * Math.max(0, Math.min(1, left / Math.max(1, wanted)));
}
