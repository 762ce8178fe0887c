/** Navigation and playback of a run: by steps of its story or by messages, at reading pace. */

import type { Choice } from "../service/api";
import type { Step } from "../trace";
import { browserClock, type Clock } from "./clock";
import type { Run } from "./run.svelte";
import { passingMs, quickMs, readingMs } from "../trace/playback-times";
import { stopAt, type Level, type Stop } from "../trace/story";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;

export interface Audience {
  /** The text at the playhead. */
  readonly said: () => string;
  /** The name of an unanswered question there; null if there is none. */
  readonly question: () => string | null;
  /** Whether passing messages may be shown; false if reduced motion is requested. */
  readonly motion: () => boolean;
}

const NOBODY: Audience = { said: () => "", question: () => null, motion: () => false };

export class Player {
  level = $state<Level>("story");
  playing = $state(false);
  speed = $state(1);
  /** The target position of a key press while messages pass; null at rest. */
  #goal: number | null = $state(null);
  /** The last move that was refused, because it would have skipped a question; a new object for each. */
  refused: { readonly question: string } | null = $state.raw(null);
  /** Whether playback has stopped at a question. */
  #interrupted = false;

  #cancel: (() => void) | null = null;
  readonly stop: Stop | undefined = $derived.by(() => stopAt(this.run.stops, this.run.index));
  /** Whether the step is shown as a whole: at its end, when moving by steps. */
  readonly whole: boolean = $derived.by(
    () =>
      this.level === "story" &&
      this.#goal === null &&
      this.stop !== undefined &&
      this.run.index === this.stop.to &&
      (!this.playing || this.stop.from === this.stop.to || this.#resting),
  );
  #resting = $state(true);

  constructor(
    readonly run: Run,
    private readonly audience: Audience = NOBODY,
    private readonly clock: Clock = browserClock,
  ) {}

  get passing(): boolean {
    return this.#goal !== null;
  }

  /** Whether the user has already tried once to skip the question; the next attempt skips it. */
  get warned(): boolean {
    return this.refused !== null && this.refused.question === this.audience.question();
  }

  /** Whether a move forward is the first attempt to skip the question here, which only warns. */
  #asksFirst(): boolean {
    const question = this.audience.question();
    if (question === null || this.refused?.question === question) return false;
    this.refused = { question };
    return true;
  }

  forward(level: Level = this.level): void {
    this.pause();
    if (this.#asksFirst()) return;
    if (level === "message") {
      this.run.goToIndex(this.run.index + 1);
      return;
    }
    const { stops, index } = this.run;
    const here = this.stop;
    const goal =
      here !== undefined && index < here.to
        ? here.to
        : (stops[stops.findIndex((stop) => stop === here) + 1]?.to ?? index);
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

  /** Goes to a position. Returns false if that only warned that it would skip a question. */
  goToIndex(index: number): boolean {
    this.pause();
    if (index > this.run.index && this.#asksFirst()) return false;
    this.run.goToIndex(index);
    return true;
  }

  /** Shows one message of a step. */
  openMessage(index: number): void {
    if (this.goToIndex(index)) this.level = "message";
  }

  /** Goes to the end of a stop; when moving by messages, to its first message. */
  goToStop(stop: Stop): void {
    this.goToIndex(this.level === "story" ? stop.to : stop.from);
  }

  play(): void {
    if (this.playing) return;
    this.settle();
    if (this.run.index >= this.run.path.length - 1) this.run.goToIndex(0);
    else if (this.#asksFirst()) return;
    this.playing = true;
    this.#resting = true;
    this.#plan();
  }

  /** Goes on after a question: plays on if playback has stopped there. What is there has been read. */
  onward(): void {
    if (!this.#interrupted) {
      this.forward();
      return;
    }
    this.#interrupted = false;
    this.playing = true;
    this.#advance();
  }

  /** Stops playback; passing messages end immediately at their target. */
  pause(): void {
    this.settle();
    this.#interrupted = false;
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

  /** Performs a step at the playhead, then shows it from its first message to its end. */
  async act(step: Step): Promise<void> {
    this.pause();
    await this.#showing(() => this.run.act(step));
  }

  /** The same for a selected choice, once the choices are loaded. */
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

  /** Ends passing messages immediately, at their target. */
  settle(): void {
    const goal = this.#goal;
    if (goal === null) return;
    this.#cancel?.();
    this.#cancel = null;
    this.#goal = null;
    this.run.goToIndex(goal);
  }

  /**
   * Passes messages up to a position; with `staying`, the current one is shown for its time first.
   */
  #pass(goal: number, staying = false): void {
    const { index } = this.run;
    if (goal - index <= (staying ? 0 : 1) || !this.audience.motion()) {
      this.run.goToIndex(goal);
      return;
    }
    const ms = quickMs(goal - index);
    this.#goal = goal;
    const next = (): void => {
      if (this.run.index + 1 >= goal) {
        this.settle();
        this.run.fastPlayhead.rest();
        return;
      }
      this.run.passTo(this.run.index + 1);
      this.#cancel = this.clock.after(ms, next);
    };
    if (staying) this.#cancel = this.clock.after(ms, next);
    else next();
  }

  /** Waits for the reading time of the text, then continues. */
  #plan(): void {
    this.#cancel = this.clock.after(this.#holdMs() / this.speed, () => this.#advance());
  }

  #advance(): void {
    if (this.run.index >= this.run.path.length - 1) {
      this.pause();
      return;
    }
    const skipping = this.level === "story" && !this.audience.motion();
    const here = this.stop;
    const next = this.run.stops[this.run.stops.findIndex((stop) => stop === here) + 1];
    this.run.passTo(skipping && next !== undefined ? next.to : this.run.index + 1);
    this.#resting = this.level === "message" || this.run.index === this.stop?.to;
    if (this.audience.question() !== null && this.#resting) {
      this.pause();
      this.#interrupted = true;
      this.run.goToIndex(this.run.index);
    } else this.#plan();
  }

  #holdMs(): number {
    const stop = this.stop;
    if (
      this.level === "story" &&
      stop !== undefined &&
      this.run.index < stop.to &&
      this.run.index > 0
    ) {
      return passingMs(stop);
    }
    return readingMs(this.audience.said());
  }
}
