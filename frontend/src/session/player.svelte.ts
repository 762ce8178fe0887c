/** How a person goes along a run: by steps of its story or by messages, at a pace that can be read. */

import type { Choice } from "../service/api";
import type { Step } from "../trace";
import { browserClock, type Clock } from "./clock";
import type { Run } from "./run.svelte";
import { passingMs, readingMs } from "../trace/pace";
import { stopAt, type Level, type Stop } from "../trace/story";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;

/** After an action, or a press, messages pass faster. */
const QUICK_MS = 130;
const LONGEST_QUICK_MS = 900;

export interface Audience {
  /** What is said of where the playhead stands. */
  readonly said: () => string;
  /** The name of a question that stands there and is not answered; null where there is none. */
  readonly question: () => string | null;
  /** Whether messages may be seen passing: not where less motion is asked for. */
  readonly motion: () => boolean;
}

const NOBODY: Audience = { said: () => "", question: () => null, motion: () => false };

export class Player {
  level = $state<Level>("story");
  playing = $state(false);
  speed = $state(1);
  /** The place on the branch that a press leads to, while messages pass; null at rest. */
  #goal: number | null = $state(null);
  /** The question that a person is about to pass over. */
  #warned: string | null = $state(null);
  /** Playing has come to the end. */
  ended = $state(false);

  #cancel: (() => void) | null = null;
  readonly stop: Stop | undefined = $derived.by(() => stopAt(this.run.stops, this.run.index));
  /** Whether the step is shown as a whole: at its end, when going by steps. */
  readonly whole: boolean = $derived.by(() => this.level === "story" && this.#goal === null && this.stop !== undefined && this.run.index === this.stop.to && (!this.playing || this.stop.from === this.stop.to || this.#resting));
  #resting = $state(true);

  constructor(
    readonly run: Run,
    private readonly audience: Audience = NOBODY,
    private readonly clock: Clock = browserClock,
  ) {}

  get passing(): boolean {
    return this.#goal !== null;
  }

  /** Whether a question was asked to be passed over once: the next press does. */
  get warned(): boolean {
    return this.#warned !== null && this.#warned === this.audience.question();
  }

  forward(level: Level = this.level): void {
    this.pause();
    const question = this.audience.question();
    if (question !== null && this.#warned !== question) {
      this.#warned = question;
      return;
    }
    if (level === "message") {
      this.run.goToIndex(this.run.index + 1);
      return;
    }
    const { stops, index } = this.run;
    const here = this.stop;
    const goal = here !== undefined && index < here.to ? here.to : (stops[stops.findIndex((stop) => stop === here) + 1]?.to ?? index);
    this.#pass(goal);
  }

  backward(level: Level = this.level): void {
    this.pause();
    if (level === "message") {
      this.run.goToIndex(this.run.index - 1);
      return;
    }
    const here = this.stop;
    this.run.goToIndex(here === undefined || here.from === 0 ? 0 : here.from - 1);
  }

  goToIndex(index: number): void {
    this.pause();
    this.run.goToIndex(index);
  }

  /** One message of a step, for itself. */
  openMessage(index: number): void {
    this.level = "message";
    this.goToIndex(index);
  }

  /** The end of a stop, where the step is told; its first message when going by messages. */
  goToStop(stop: Stop): void {
    this.goToIndex(this.level === "story" ? stop.to : stop.from);
  }

  play(): void {
    if (this.playing) return;
    this.settle();
    if (this.run.index >= this.run.path.length - 1) this.run.goToIndex(0);
    this.ended = false;
    this.playing = true;
    this.#resting = true;
    this.#plan();
  }

  /** Stops playing; what is passing ends at once, where it was to end. */
  pause(): void {
    this.settle();
    this.playing = false;
    this.#resting = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    const was = this.playing;
    this.pause();
    this.speed = speed;
    if (was) this.play();
  }

  setLevel(level: Level): void {
    this.pause();
    this.level = level;
  }

  /** Does a step where the playhead stands, then shows it from its first message to its end. */
  async act(step: Step): Promise<void> {
    this.pause();
    await this.#showing(() => this.run.act(step));
  }

  /** The same for what is chosen of what can happen, once that is known. */
  async actOn(choose: (choices: readonly Choice[]) => Choice | undefined): Promise<void> {
    this.pause();
    await this.#showing(() => this.run.actOn(choose));
  }

  async #showing(acting: () => Promise<void>): Promise<void> {
    const before = this.run.at;
    await acting();
    const first = this.run.path.indexOf(before) + 1;
    const last = this.run.index;
    if (this.run.at === before || last - first < 1 || !this.audience.motion()) return;
    this.run.passTo(first);
    this.#pass(last, true);
  }

  /** Ends what is passing at once, where it was to end. */
  settle(): void {
    const goal = this.#goal;
    if (goal === null) return;
    this.#cancel?.();
    this.#cancel = null;
    this.#goal = null;
    this.run.goToIndex(goal);
  }

  /** Lets messages pass up to a place; with `staying` the one that is shown is seen first. */
  #pass(goal: number, staying = false): void {
    const { index } = this.run;
    if (goal - index <= (staying ? 0 : 1) || !this.audience.motion()) {
      this.run.goToIndex(goal);
      return;
    }
    const ms = Math.min(QUICK_MS, LONGEST_QUICK_MS / (goal - index));
    this.#goal = goal;
    const next = (): void => {
      if (this.run.index + 1 >= goal) {
        this.settle();
        return;
      }
      this.run.passTo(this.run.index + 1);
      this.#cancel = this.clock.after(ms, next);
    };
    if (staying) this.#cancel = this.clock.after(ms, next);
    else next();
  }

  /** Waits as long as what is said takes to read, then goes on. */
  #plan(): void {
    this.#cancel = this.clock.after(this.#holdMs() / this.speed, () => {
      if (this.run.index >= this.run.path.length - 1) {
        this.pause();
        this.ended = true;
        return;
      }
      const skipping = this.level === "story" && !this.audience.motion();
      const here = this.stop;
      const next = this.run.stops[this.run.stops.findIndex((stop) => stop === here) + 1];
      this.run.passTo(skipping && next !== undefined ? next.to : this.run.index + 1);
      this.#resting = this.level === "message" || this.run.index === this.stop?.to;
      if (this.audience.question() !== null && this.#resting) {
        this.pause();
        this.run.goToIndex(this.run.index);
      } else this.#plan();
    });
  }

  #holdMs(): number {
    const stop = this.stop;
    if (this.level === "story" && stop !== undefined && this.run.index < stop.to && this.run.index > 0) {
      return passingMs(stop);
    }
    return readingMs(this.audience.said());
  }
}
