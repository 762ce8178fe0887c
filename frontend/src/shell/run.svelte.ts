/** A run on the screen: its frames, where the playhead stands, and the one way to change anything. */

import type { Frame, Step } from "../trace";

import { ApiError, type Acted, type Api, type Choice, type ScenarioDocument } from "./api";
import { branchOf, listBranches, type Branch } from "./branches";

/** The same steps under another version, beside this run. */
export interface OtherVersion {
  readonly session: string;
  readonly kafka: string;
  readonly frames: readonly Frame[];
}

export interface Clock {
  readonly every: (ms: number, tick: () => void) => () => void;
}

export const browserClock: Clock = {
  every: (ms, tick) => {
    const timer = setInterval(tick, ms);
    return () => {
      clearInterval(timer);
    };
  },
};

const STEP_MS = 1200;
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;

/** Runs of the same steps under other versions, by session, kept while the page is open. */
const related: Record<string, readonly OtherVersion[]> = {};

export class Run {
  frames = $state.raw<Frame[]>([]);
  at = $state(0);
  tip = $state(0);
  choices = $state.raw<readonly Choice[]>([]);
  playing = $state(false);
  speed = $state(1);
  busy = $state(false);
  problem = $state<string | null>(null);
  others = $state.raw<readonly OtherVersion[]>([]);

  readonly branches: Branch[] = $derived(listBranches(this.frames));
  readonly branch: Branch | undefined = $derived(branchOf(this.branches, this.at, this.tip));
  readonly path: readonly number[] = $derived(this.branch?.path ?? [0]);
  readonly index = $derived(this.path.indexOf(this.at));
  readonly frame: Frame | undefined = $derived(this.frames[this.at]);
  readonly previous: Frame | null = $derived(this.index > 0 ? (this.frames[this.path[this.index - 1] ?? 0] ?? null) : null);

  #stop: (() => void) | null = null;
  #asked = 0;

  constructor(
    private readonly api: Api,
    readonly session: string | null,
    readonly kafka: string,
    readonly scenario: ScenarioDocument,
    frames: Frame[],
    at: number,
    private readonly clock: Clock = browserClock,
  ) {
    this.frames = frames;
    if (session !== null) this.others = related[session] ?? [];
    this.at = frames[at] === undefined ? 0 : at;
    this.tip = branchOf(listBranches(frames), this.at, frames.length - 1)?.tip ?? this.at;
  }

  get readOnly(): boolean {
    return this.session === null;
  }

  depthOf = (frame: number): number => this.frames[frame]?.depth ?? 0;

  /** Stands on a frame. Nothing is fetched but what can happen there. */
  goTo(frame: number): void {
    if (this.frames[frame] === undefined) return;
    if (!this.path.includes(frame)) {
      this.tip = branchOf(this.branches, frame, this.tip)?.tip ?? frame;
    }
    this.at = frame;
    this.problem = null;
    void this.refreshChoices();
  }

  goToIndex(index: number): void {
    const frame = this.path[Math.min(Math.max(index, 0), this.path.length - 1)];
    if (frame !== undefined) this.goTo(frame);
  }

  openBranch(tip: number, frame: number = tip): void {
    this.tip = tip;
    this.at = frame;
    void this.refreshChoices();
  }

  play(): void {
    if (this.playing) return;
    if (this.index >= this.path.length - 1) this.goToIndex(0);
    this.playing = true;
    this.#stop = this.clock.every(STEP_MS / this.speed, () => {
      if (this.index >= this.path.length - 1) this.pause();
      else this.goToIndex(this.index + 1);
    });
  }

  pause(): void {
    this.playing = false;
    this.#stop?.();
    this.#stop = null;
  }

  setSpeed(speed: number): void {
    const was = this.playing;
    this.pause();
    this.speed = speed;
    if (was) this.play();
  }

  /** Asks what can happen after the frame shown; an answer for a frame that was left is dropped. */
  async refreshChoices(): Promise<void> {
    if (this.session === null) return;
    const asked = ++this.#asked;
    const after = this.at;
    try {
      const choices = await this.api.readChoices(this.session, after);
      if (asked === this.#asked) this.choices = choices;
    } catch (error) {
      if (asked === this.#asked) this.problem = messageOf(error);
    }
  }

  /** The one gateway for writes: does a step after the frame shown and stands on what it made. */
  async act(step: Step): Promise<void> {
    if (this.session === null || this.busy) return;
    this.pause();
    this.busy = true;
    this.problem = null;
    try {
      const acted = await this.api.act(this.session, this.at, step);
      await this.#take(acted);
    } catch (error) {
      this.problem = messageOf(error);
      if (error instanceof ApiError && error.status === 409) void this.refreshChoices();
    } finally {
      this.busy = false;
    }
  }

  /** Stands on the last frame that was made, with everything made before it, by whoever made it. */
  async #take(acted: Acted): Promise<void> {
    const target = acted.frames.at(-1)?.frame ?? acted.head;
    if (this.session !== null && this.frames[target] === undefined) {
      const { frames } = await this.api.readTimeline(this.session, this.frames.length);
      this.frames = [...this.frames, ...frames];
    }
    this.tip = target;
    this.at = target;
    await this.refreshChoices();
  }

  /** The same steps, up to the frame shown, under another version. */
  async replayUnder(kafka: string): Promise<OtherVersion | null> {
    if (this.session === null) return null;
    this.busy = true;
    try {
      const session = await this.api.createSession({ session: this.session, at: this.path[this.path.length - 1], kafka });
      const { frames } = await this.api.readTimeline(session.id, 0);
      const other = { session: session.id, kafka: session.kafka, frames };
      this.others = [...this.others.filter((one) => one.kafka !== other.kafka), other];
      const mine = { session: this.session, kafka: this.kafka, frames: this.frames };
      related[this.session] = this.others;
      related[other.session] = [mine, ...this.others.filter((one) => one.session !== other.session)];
      return other;
    } catch (error) {
      this.problem = messageOf(error);
      return null;
    } finally {
      this.busy = false;
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
