/**
 * The run of an embed: an outline of the whole run, and its frames in parts that are loaded on
 * demand. A short run is loaded completely; of a long one only the part around the playhead is
 * loaded.
 */

import {
  readFrames,
  type Catalogue,
  type CatalogueTexts,
  type Frame,
  type FrameEntry,
  type Lang,
  type PlayerPart,
  type PlayerRun,
} from "../../trace";
import { sceneOf, type Stop } from "../../trace/story";

/** A drawn moment. */
export interface Moment {
  readonly frame: Frame;
  readonly previous: Frame | null;
}

export class Branch {
  readonly numbers: readonly number[];
  /** Position → its step. */
  readonly steps: readonly number[];
  stops = $state.raw<readonly Stop[]>([]);
  /** By position; undefined until its part is loaded. */
  frames = $state.raw<readonly (Frame | undefined)[]>([]);
  catalogue = $state.raw<Catalogue>({ sources: {}, languages: {} });
  /** Whether the last requested part could not be loaded. */
  failed = $state(false);
  /** Whether the parts for the first moment are there, or could not be loaded. */
  settled = $state(false);
  /** The blocks that are loaded or loading, by their first position. */
  readonly #asked: Record<number, boolean> = {};

  constructor(
    readonly run: PlayerRun,
    private readonly lang: Lang,
    private readonly read: (from: number, to: number) => Promise<PlayerPart>,
  ) {
    const { outline } = run;
    this.numbers = outline.numbers.flatMap(([first, count]) =>
      Array.from({ length: count }, (_, at) => first + at),
    );
    this.steps = outline.lengths.flatMap((length, step) => Array.from({ length }, () => step));
    this.frames = Array.from({ length: outline.total }, () => undefined);
    let from = 0;
    this.stops = outline.lengths.map((length, step) => {
      const stop = {
        step,
        from,
        to: from + length - 1,
        telling: from + (outline.telling[String(step)] ?? length - 1),
        title: null,
        summary: null,
        marks: outline.marks[String(step)] ?? [],
      };
      from += length;
      return stop;
    });
    this.#take(run.part);
    for (let at = run.part.from; at < run.part.from + run.part.frames.length; at += run.block)
      this.#asked[at] = true;
  }

  get last(): number {
    return this.run.outline.total - 1;
  }

  /** The position of a frame number; for a frame of another branch, of the last frame before it. */
  positionOf(number: number): number {
    const exact = this.numbers.indexOf(number);
    return exact >= 0 ? exact : Math.max(0, this.numbers.filter((one) => one <= number).length - 1);
  }

  /** The position that a host means by a number, which is the one that links count. */
  positionAt(number: number): number {
    if (this.run.counts === "frames") return this.positionOf(number);
    return (this.stops[Math.min(number, this.stops.length - 1)] ?? this.stops[0])?.to ?? 0;
  }

  /** The position of a step of a lesson, or of one of its messages, which count from 1. */
  positionOfMoment(step: number, message: string | null): number {
    const last = this.positionAt(step);
    const first = this.stops[this.steps[last] ?? 0]?.from ?? last;
    return message === null ? last : Math.min(first + Math.max(Number(message), 1) - 1, last);
  }

  /** The query of a link to a position. */
  queryOf(position: number, byMessage: boolean): string {
    if (this.run.counts === "frames")
      return `frame=${String(this.numbers[position] ?? 0)}${byMessage ? "&level=message" : ""}`;
    const step = this.steps[position] ?? 0;
    const message = position - (this.stops[step]?.from ?? position) + 1;
    return `step=${String(step)}${byMessage ? `&message=${String(message)}` : ""}`;
  }

  stepOf(number: number): number {
    return this.steps[this.positionOf(number)] ?? number;
  }

  /** The drawn moment of one frame, or of its whole step; null while it is loading. */
  moment(position: number, step: Stop | null): Moment | null {
    const whole = step !== null && step.to > step.from && this.#fits(step) ? step : null;
    const first = Math.max(0, (whole?.from ?? position) - 1);
    const frames = this.frames.slice(first, (whole?.to ?? position) + 1);
    const known = frames.filter((frame) => frame !== undefined);
    const frame = known.at(-1);
    if (frame === undefined || known.length < frames.length) return null;
    const scene =
      whole === null
        ? null
        : sceneOf(known, { ...whole, from: whole.from - first, to: whole.to - first });
    return scene ?? { frame, previous: position === 0 ? null : (known.at(-2) ?? null) };
  }

  /** Loads the parts for a position and the next steps; of a short run, all of it. */
  async want(position: number, stop: Stop): Promise<void> {
    await this.#load(position, stop);
    this.settled = true;
  }

  async #load(position: number, stop: Stop): Promise<void> {
    const { block, largest, outline } = this.run;
    const [from, to] = this.#fits(stop) ? [stop.from, stop.to] : [position, position];
    const short = outline.total <= largest;
    const first = short ? 0 : startOf(Math.max(0, from - 1), block);
    const last = short ? this.last : Math.min(this.last, to + block);
    const missing: number[] = [];
    for (let at = first; at <= last; at += block) if (this.#asked[at] !== true) missing.push(at);
    if (missing.length === 0) return;
    const came = await Promise.all(
      stretches(missing, block, largest).map(([start, end]) => this.#fetch(start, end)),
    );
    this.failed = came.includes(false);
  }

  /** Steps with more frames than fit into a part are shown frame by frame. */
  #fits({ from, to }: Stop): boolean {
    return to - from < this.run.largest;
  }

  /** Returns whether it was loaded. */
  async #fetch(from: number, to: number): Promise<boolean> {
    const { block } = this.run;
    const blocks = Array.from({ length: (to - from) / block }, (_, at) => from + at * block);
    for (const at of blocks) this.#asked[at] = true;
    try {
      this.#take(await this.read(from, to));
      return true;
    } catch {
      for (const at of blocks) this.#asked[at] = false;
      return false;
    }
  }

  #take(part: PlayerPart): void {
    const entries = part.frames.map((frame): FrameEntry => ({
      ...frame,
      parent: null,
      depth: 0,
      item: null,
      action: null,
      changes: [],
      moves: [],
      headline: frame.headline,
      events: frame.events.map((event) => ({ ...event, rule: null, sources: [] })),
    }));
    const frames = [...this.frames];
    for (const [at, frame] of readFrames(entries).entries()) frames[part.from + at] = frame;
    this.frames = frames;
    const stops = [...this.stops];
    for (const { step, title, summary } of part.steps) {
      const stop = stops[step];
      if (stop !== undefined)
        stops[step] = { ...stop, title: { [this.lang]: title }, summary: { [this.lang]: summary } };
    }
    this.stops = stops;
    this.catalogue = {
      sources: {},
      languages: { [this.lang]: merged(this.catalogue.languages[this.lang], part.texts) },
    };
  }
}

function startOf(position: number, block: number): number {
  return position - (position % block);
}

/** Merges consecutive blocks, up to the maximum length. */
function stretches(
  starts: readonly number[],
  block: number,
  largest: number,
): [from: number, to: number][] {
  const found: [number, number][] = [];
  for (const start of starts) {
    const open = found.at(-1);
    if (open?.[1] === start && start + block - open[0] <= largest) open[1] = start + block;
    else found.push([start, start + block]);
  }
  return found;
}

function merged(known: CatalogueTexts | undefined, news: PlayerPart["texts"]): CatalogueTexts {
  return {
    ...{ rules: {}, reasons: {}, terms: {}, term_words: {}, steps: {}, changes: {} },
    events: { ...known?.events, ...news.events },
    properties: { ...known?.properties, ...news.properties },
    values: { ...known?.values, ...news.values },
  };
}
