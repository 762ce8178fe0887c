/** A run that is open: the frames that are known, where one stands, and the one way to change anything. */

import { readFrames, type Bilingual, type Frame, type FrameEntry, type Numbers, type Step } from "../trace";

import { ApiError, type Api, type Choice, type ScenarioDocument } from "../client/api";
import { childrenOf, holds, listBranches, pathTo, tipFrom, type Branch } from "./branches";

/** What a run needs of the service. */
export type RunApi = Pick<Api, "act" | "readChoices" | "readTimeline" | "createSession">;

/** The frames that one request brings: the service's limit. */
export const MOST_FRAMES = 500;

export interface Opening {
  /** Null where the run is a stored share, which nobody changes. */
  readonly session: string | null;
  readonly title: Bilingual;
  readonly scenario: ScenarioDocument;
  readonly kafka: string;
  readonly frames: readonly Frame[];
  /** How many frames there are; more than `frames` when the rest is still to be read. */
  readonly total: number;
  readonly at: number;
  /** A session that is only looked at. */
  readonly lookOnly?: boolean;
}

/** What went wrong with the step that was asked for last. */
export interface Trouble {
  readonly step: Step | null;
  readonly code: string;
  /** In English, for where the catalogue has no words for the code. */
  readonly detail: string;
  readonly numbers: Numbers;
}

/** The same steps under another version: a run to look at, beside this one. */
export interface OtherVersion {
  readonly kafka: string;
  readonly run: Run;
}

export class Run {
  readonly session: string | null;
  readonly scenario: ScenarioDocument;
  readonly title: Bilingual;
  readonly kafka: string;
  readonly readOnly: boolean;

  /** By number. A share holds one branch, whose frames keep their numbers: there may be gaps. */
  #frames = $state.raw<readonly (Frame | undefined)[]>([]);
  #at = $state(0);
  #tip = $state(0);
  #busy = $state(false);
  #trouble = $state.raw<Trouble | null>(null);
  /** By frame. */
  #choices = $state.raw<readonly (readonly Choice[] | undefined)[]>([]);
  #versions = $state.raw<readonly OtherVersion[]>([]);

  readonly known: readonly Frame[] = $derived(this.#frames.filter((frame) => frame !== undefined));
  readonly branches: readonly Branch[] = $derived(listBranches(this.known));
  readonly #children = $derived(childrenOf(this.known));
  /** The frames of the branch that is open, from its start to its end. */
  readonly path: readonly number[] = $derived(pathTo((frame) => this.#frames[frame], this.#tip));
  readonly frame: Frame | undefined = $derived(this.#frames[this.#at]);
  /** Where one stands on the path. */
  readonly index: number = $derived((this.frame?.depth ?? 0) - this.#startDepth);
  readonly previous: Frame | null = $derived(this.#frames[this.path[this.index - 1] ?? -1] ?? null);
  /** What can happen after the frame; undefined until the service has said it. */
  readonly choices: readonly Choice[] | undefined = $derived(this.#choices[this.#at]);

  constructor(
    private readonly api: RunApi,
    opening: Opening,
  ) {
    this.session = opening.session;
    this.scenario = opening.scenario;
    this.title = opening.title;
    this.kafka = opening.kafka;
    this.readOnly = opening.session === null || opening.lookOnly === true;
    this.#add(opening.frames);
    this.#at = this.#frames[opening.at] === undefined ? (this.known[0]?.frame ?? 0) : opening.at;
    this.#tip = tipFrom(this.#children, this.#at);
    if (opening.session !== null && opening.total > this.#frames.length) void this.refresh();
  }

  get at(): number {
    return this.#at;
  }
  get tip(): number {
    return this.#tip;
  }
  get busy(): boolean {
    return this.#busy;
  }
  get trouble(): Trouble | null {
    return this.#trouble;
  }
  get versions(): readonly OtherVersion[] {
    return this.#versions;
  }
  get last(): number {
    return this.path.length - 1;
  }
  get #startDepth(): number {
    return this.#frames[this.path[0] ?? 0]?.depth ?? 0;
  }

  frameOf = (frame: number): Frame | undefined => this.#frames[frame];
  depthOf = (frame: number): number => this.#frames[frame]?.depth ?? 0;

  /** Stands on a frame, and opens a branch that holds it when the open one does not. */
  goTo(frame: number): void {
    const found = this.#frames[frame];
    if (found === undefined) return;
    if (!holds(this.path, found, this.#startDepth)) this.#tip = tipFrom(this.#children, frame);
    this.#at = frame;
    this.#trouble = null;
  }

  /** Stands on a step of the open branch; outside of it, on its nearest end. */
  goToIndex(index: number): void {
    const frame = this.path[Math.min(Math.max(index, 0), this.last)];
    if (frame !== undefined) this.goTo(frame);
  }

  /** Opens the branch that ends at `tip`, and stays where one stands if that is on it; else stands on its first frame of its own. */
  openBranch(tip: number): void {
    const end = this.#frames[tip];
    if (end === undefined) return;
    const before = this.path;
    this.#tip = tip;
    this.#trouble = null;
    const here = this.frame;
    if (here !== undefined && holds(this.path, here, this.#startDepth)) return;
    this.#at = this.path.find((frame, index) => frame !== before[index]) ?? tip;
  }

  /** Does a step after the frame one stands on, and stands on what it made: on a branch of its own where the past was changed. */
  async do(step: Step): Promise<boolean> {
    const session = this.session;
    if (session === null || this.readOnly || this.#busy) return false;
    const after = this.#at;
    this.#busy = true;
    this.#trouble = null;
    try {
      const { frames, head } = await this.api.act(session, after, step);
      const target = frames.at(-1)?.frame ?? head;
      await this.#take(session, frames);
      this.#tip = tipFrom(this.#children, target);
      // Whoever has gone elsewhere in the meantime stays there.
      if (this.#at === after) this.#at = this.#frames[target] === undefined ? after : target;
      return true;
    } catch (error) {
      this.#trouble = troubleOf(error, step);
      if (error instanceof ApiError && error.status === 409) await this.#catchUp(after);
      return false;
    } finally {
      this.#busy = false;
    }
  }

  /** Asks what can happen here, unless that is known: it never changes for a frame. */
  async readChoices(): Promise<void> {
    const { session } = this;
    const at = this.#at;
    if (session === null || this.readOnly || this.#choices[at] !== undefined) return;
    try {
      const choices = await this.api.readChoices(session, at);
      this.#choices = withEntry(this.#choices, at, choices);
    } catch (error) {
      this.#trouble = troubleOf(error, null);
    }
  }

  /** Reads the frames that are not known yet, in ranges; one that is open may grow by them. */
  async refresh(): Promise<void> {
    const { session } = this;
    if (session === null) return;
    try {
      await this.#readFrom(session, this.#frames.length);
    } catch (error) {
      this.#trouble = troubleOf(error, null);
    }
  }

  /** The same steps, to the end of the open branch, under another version. */
  async under(kafka: string): Promise<Run | null> {
    const there = this.#versions.find((one) => one.kafka === kafka);
    if (there !== undefined) return there.run;
    const { session } = this;
    if (session === null || this.#busy) return null;
    this.#busy = true;
    this.#trouble = null;
    try {
      const made = await this.api.createSession({ session, at: this.#tip, kafka });
      const frames = await readAll(this.api, made.id, 0);
      const { scenario, title } = this;
      const run = new Run(this.api, { session: made.id, title, scenario, kafka: made.kafka, frames, total: frames.length, at: 0, lookOnly: true });
      this.#versions = [...this.#versions, { kafka: made.kafka, run }];
      return run;
    } catch (error) {
      this.#trouble = troubleOf(error, null);
      return null;
    } finally {
      this.#busy = false;
    }
  }

  dismiss(): void {
    this.#trouble = null;
  }

  async #take(session: string, entries: readonly FrameEntry[]): Promise<void> {
    const first = entries[0];
    if (first === undefined) return;
    if (this.#frames[first.frame] !== undefined && entries.every(({ frame }) => this.#frames[frame] !== undefined)) return;
    // Frames that somebody else made lie between: they are read too, in their order.
    const whole = first.state !== undefined && first.state !== null;
    if (whole && first.frame === this.#frames.length) this.#add(readFrames(entries));
    else await this.#readFrom(session, this.#frames.length);
  }

  async #catchUp(frame: number): Promise<void> {
    const trouble = this.#trouble;
    this.#choices = withEntry(this.#choices, frame, undefined);
    await this.refresh();
    await this.readChoices();
    this.#trouble = trouble;
  }

  async #readFrom(session: string, from: number): Promise<void> {
    const atTip = this.#tip;
    for (let first = from; ; ) {
      const part = await this.api.readTimeline(session, first, first + MOST_FRAMES - 1);
      this.#add(readFrames(part.frames));
      first += part.frames.length;
      if (part.frames.length === 0 || first >= part.total) break;
    }
    if (this.#tip === atTip) this.#tip = tipFrom(this.#children, atTip);
  }

  #add(frames: readonly Frame[]): void {
    const known = [...this.#frames];
    for (const frame of frames) known[frame.frame] = frame;
    this.#frames = known;
  }
}

function withEntry<Entry>(list: readonly Entry[], at: number, entry: Entry): Entry[] {
  const copy = [...list];
  copy[at] = entry;
  return copy;
}

async function readAll(api: Pick<Api, "readTimeline">, session: string, upTo: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (;;) {
    const part = await api.readTimeline(session, frames.length, frames.length + MOST_FRAMES - 1);
    frames.push(...readFrames(part.frames));
    if (part.frames.length === 0 || frames.length >= part.total || (upTo > 0 && frames.length > upTo)) return frames;
  }
}

function troubleOf(error: unknown, step: Step | null): Trouble {
  if (error instanceof ApiError) return { step, code: error.reason?.code ?? error.code, detail: error.detail, numbers: error.reason?.numbers ?? {} };
  return { step, code: "unexpected", detail: error instanceof Error ? error.message : String(error), numbers: {} };
}

/** Opens a session at a frame, or where it ends. Frames beyond that are read while one looks. */
export async function openSession(api: Api, id: string, at: number | null): Promise<Run> {
  const session = await api.readSession(id);
  const wanted = at !== null && at < session.frames ? at : session.head;
  const frames = await readAll(api, id, Math.max(wanted, 1));
  const { scenario, kafka, frames: total } = session;
  return new Run(api, { session: id, title: scenario.title, scenario, kafka, frames, total, at: wanted });
}

/** Opens a share at a frame, or at the one that it was made for. */
export async function openShare(api: Api, sid: string, at: number | null): Promise<Run> {
  const share = await api.readShare(sid);
  const frames = readFrames(share.frames);
  const wanted = frames.some(({ frame }) => frame === at) ? at : share.at;
  const { scenario, kafka, title } = share;
  return new Run(api, { session: null, title, scenario, kafka, frames, total: frames.length, at: wanted ?? share.at });
}
