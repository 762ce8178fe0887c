/** What the front page tells of a run: how an acknowledged record is lost, in few moments. */

import { inLanguage } from "../language";
import { headlineOf, sentence, type Catalogue, type Frame, type Lang } from "../trace";
import { readingMs } from "../trace/pace";
import { sceneOf, stopAt, type Stop, type StopMark } from "../trace/story";

/** The whole is told in so long, and what only leads from one moment to the next is seen so long. */
const WHOLE_MS = 16_500;
const PASSING_MS = 320;
/** Events that say it better than the step's summary. */
const TELLING = ["RecordLost", "LogTruncated"];
const MOMENTS: readonly StopMark[] = ["truncation", "at_risk", "loss"];

/** The steps from the one before the record is written on: all are seen, the moments are held. */
export interface Told {
  readonly from: Stop;
  readonly moments: readonly Stop[];
}

/** How the first record that is lost came to that; null where none is. */
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

/** What is said of a step. */
export function saidOf(frames: readonly Frame[], stop: Stop, catalogue: Catalogue, lang: Lang): string {
  const events = sceneOf(frames, stop)?.frame.events ?? [];
  const telling = TELLING.map((kind) => events.find((event) => event.kind === kind)).find((event) => event !== undefined);
  if (telling !== undefined) return sentence(catalogue, telling, lang);
  if (stop.summary !== null) return inLanguage(stop.summary, lang);
  const frame = frames[stop.to];
  const headline = frame === undefined ? undefined : headlineOf(frame);
  return headline === undefined ? "" : sentence(catalogue, headline, lang);
}

/** The rule by which the record went from the replica that was elected then. */
export function ruleBehind(frames: readonly Frame[], { moments }: Told): string | null {
  const cut = moments.flatMap((stop) => sceneOf(frames, stop)?.frame.events ?? []).find((event) => event.kind === "LogTruncated");
  return cut?.rule ?? null;
}

/** How long a step is seen, so that the whole takes no longer than it may. */
export function restMs(stops: readonly Stop[], { from, moments }: Told, stop: Stop, said: (of: Stop) => string): number {
  if (!moments.includes(stop)) return PASSING_MS;
  const reading = moments.slice(0, -1).reduce((sum, one) => sum + readingMs(said(one)), 0);
  const passing = stops.filter((one) => one.from >= from.from && !moments.includes(one)).length * PASSING_MS;
  return readingMs(said(stop)) * Math.min(1, (WHOLE_MS - passing) / Math.max(1, reading));
}
