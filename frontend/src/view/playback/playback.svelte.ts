/**
 * Playback of a finished run: automatic, or by key presses; by steps of its story or by messages.
 * It has no clock: the component calls `wait` in an effect.
 */

import { passingMs, quickMs } from "../../trace/playback-times";
import { stopAt, type Level, type Stop } from "../../trace/story";

export interface Show {
  readonly stops: readonly Stop[];
  /** How long (ms) the playhead rests at its position, at speed 1. */
  readonly restMs: () => number;
  /** Whether passing messages may be shown; false if reduced motion is requested. */
  readonly motion: () => boolean;
}

export class Playback {
  index = $state(0);
  level = $state<Level>("story");
  playing = $state(false);
  speed = $state(1);
  /** The target position of a key press while messages pass; null at rest. */
  #goal: number | null = $state(null);
  readonly stop: Stop | undefined = $derived.by(() => stopAt(this.show.stops, this.index));
  /** Whether the step is shown as a whole: at its end, when moving by steps. */
  readonly whole: boolean = $derived.by(
    () => this.level === "story" && this.#goal === null && this.index === this.stop?.to,
  );

  constructor(
    private readonly show: Show,
    startAt = 0,
    level: Level = "story",
  ) {
    this.index = startAt;
    this.level = level;
  }

  get last(): number {
    return this.show.stops.at(-1)?.to ?? 0;
  }

  goTo(index: number): void {
    this.#goal = null;
    this.index = Math.max(0, Math.min(this.last, Math.round(index)));
  }

  forward(level: Level = this.level): void {
    this.pause();
    if (level === "message") {
      this.goTo(this.index + 1);
      return;
    }
    const here = this.stop;
    if (here === undefined) return;
    this.#pass(this.index < here.to ? here.to : (this.#after(here)?.to ?? this.index));
  }

  backward(level: Level = this.level): void {
    this.pause();
    this.goTo(level === "message" ? this.index - 1 : (this.stop?.from ?? 0) - 1);
  }

  setLevel(level: Level): void {
    this.pause();
    this.level = level;
  }

  play(): void {
    this.#settle();
    if (this.index >= this.last) this.index = 0;
    this.playing = true;
  }

  pause(): void {
    this.#settle();
    this.playing = false;
  }

  /** Continues after the current moment has been shown; returns a function that cancels it. */
  wait(): (() => void) | undefined {
    if (this.#goal === null && !this.playing) return undefined;
    const timer =
      this.#goal === null
        ? setTimeout(() => this.#playOn(), this.#showMs() / this.speed)
        : setTimeout(() => this.#passOn(), quickMs(this.#messagesTo(this.#goal)));
    return () => clearTimeout(timer);
  }

  #pass(goal: number): void {
    if (goal - this.index <= 1 || !this.show.motion()) {
      this.goTo(goal);
      return;
    }
    this.#goal = goal;
    this.index += 1;
  }

  #passOn(): void {
    this.index += 1;
    if (this.#goal !== null && this.index >= this.#goal) this.#goal = null;
  }

  #settle(): void {
    if (this.#goal !== null) this.goTo(this.#goal);
  }

  #messagesTo(goal: number): number {
    return goal - (stopAt(this.show.stops, goal)?.from ?? 0) + 1;
  }

  #playOn(): void {
    if (this.index >= this.last) {
      this.playing = false;
      return;
    }
    const next = this.stop === undefined ? undefined : this.#after(this.stop);
    this.index =
      this.level === "story" && !this.show.motion() && next !== undefined
        ? next.to
        : this.index + 1;
  }

  #showMs(): number {
    const passing =
      this.level === "story" &&
      this.stop !== undefined &&
      this.index > 0 &&
      this.index < this.stop.to;
    return passing && this.stop !== undefined ? passingMs(this.stop) : this.show.restMs();
  }

  #after(stop: Stop): Stop | undefined {
    return this.show.stops[this.show.stops.indexOf(stop) + 1];
  }
}
