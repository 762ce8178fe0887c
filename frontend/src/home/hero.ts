/** The part of a run on the front page: how an acknowledged record is lost, in a few steps. */

import { inLanguage } from "../language";
import { headlineOf, sentence, type Catalogue, type EventName, type Frame, type Lang } from "../trace";
import { readingMs } from "../trace/playback-times";
import { sceneOf, stopAt, type Stop, type StopMark } from "../trace/story";

/** The total duration in ms, and the duration of a step that only leads to the next key step. */
const WHOLE_MS = 16_500;
const PASSING_MS = 320;
/** Events whose sentences are better than the step's summary. */
const TELLING: readonly EventName[] = ["RecordLost", "LogTruncated"];
const MOMENTS: readonly StopMark[] = ["truncation", "at_risk", "loss"];

/**
 * The steps, starting with the one before the record is written. All are shown; the key steps are
 * shown longer.
 */
export interface Told {
  readonly from: Stop;
  readonly moments: readonly Stop[];
}

/** The story of the first lost record; null if none is lost. */
export function toldOf(frames: readonly Frame[], stops: readonly Stop[]): Told | null {
  const lost = frames.at(-1)?.state.clients.produced.find((record) => record.fate === "lost");
  if (lost === undefined) return null;
  const stopOf = (number: number | null): Stop | undefined => stopAt(stops, frames.findIndex((frame) => frame.frame === number));
  const written = stopOf(lost.frame);
  const acknowledged = stopOf(lost.acked_frame);
  if (written === undefined || acknowledged === undefined) return null;
  const from = stops[stops.indexOf(written) - 1] ?? written;
  const moments = stops.filter((stop) => stop === acknowledged || (stop.from > acknowledged.to && stop.marks.some((mark) => MOMENTS.includes(mark))));
  return { from, moments };
}

/** The nearest moment after a frame (1) or before it (-1), among the start and the key steps. */
export function momentFrom({ from, moments }: Told, index: number, direction: 1 | -1): Stop | undefined {
  const all = [from, ...moments];
  return direction === 1 ? all.find((stop) => stop.to > index) : all.findLast((stop) => stop.to < index);
}

/** The sentence for a step. */
export function saidOf(frames: readonly Frame[], stop: Stop, catalogue: Catalogue, lang: Lang): string {
  const events = sceneOf(frames, stop)?.frame.events ?? [];
  const telling = TELLING.map((kind) => events.find((event) => event.kind === kind)).find((event) => event !== undefined);
  if (telling !== undefined) return sentence(catalogue, telling, lang);
  if (stop.summary !== null) return inLanguage(stop.summary, lang);
  const frame = frames[stop.to];
  const headline = frame === undefined ? undefined : headlineOf(frame);
  return headline === undefined ? "" : sentence(catalogue, headline, lang);
}

/** The rule that removed the record from the replica that was then elected. */
export function ruleBehind(frames: readonly Frame[], { moments }: Told): string | null {
  const cut = moments.flatMap((stop) => sceneOf(frames, stop)?.frame.events ?? []).find((event) => event.kind === "LogTruncated");
  return cut?.rule ?? null;
}

/** The duration of a step in ms, so that the total stays within its limit. */
export function restMs(stops: readonly Stop[], { from, moments }: Told, stop: Stop, said: (of: Stop) => string): number {
  if (!moments.includes(stop)) return PASSING_MS;
  const reading = moments.slice(0, -1).reduce((sum, one) => sum + readingMs(said(one)), 0);
  const passing = stops.filter((one) => one.from >= from.from && !moments.includes(one)).length * PASSING_MS;
  return readingMs(said(stop)) * Math.min(1, (WHOLE_MS - passing) / Math.max(1, reading));
}
