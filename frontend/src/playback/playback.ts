/** Plays a branch: one step after another, at a speed, until there is no next one. */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
export type Speed = (typeof SPEEDS)[number];

/** How long a step stands at 1×: long enough to read its sentence. */
export const STEP_MS = 1600;

export interface Clock {
  /** Calls once after `ms`; what it gives back calls it off. */
  readonly after: (ms: number, then: () => void) => () => void;
}

export const browserClock: Clock = {
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** What is played. */
export interface Track {
  readonly atEnd: () => boolean;
  readonly advance: () => void;
  readonly rewind: () => void;
}

export class Playback {
  #playing = false;
  #speed: Speed = 1;
  #callOff: (() => void) | null = null;

  /** `changed` is told after every change of `playing` or `speed`. */
  constructor(
    private readonly track: Track,
    private readonly clock: Clock = browserClock,
    private readonly changed: () => void = () => undefined,
  ) {}

  get playing(): boolean {
    return this.#playing;
  }

  get speed(): Speed {
    return this.#speed;
  }

  /** From the end, playing begins anew. */
  play(): void {
    if (this.#playing) return;
    if (this.track.atEnd()) this.track.rewind();
    if (this.track.atEnd()) return;
    this.#playing = true;
    this.#wait();
    this.changed();
  }

  pause(): void {
    this.#callOff?.();
    this.#callOff = null;
    if (!this.#playing) return;
    this.#playing = false;
    this.changed();
  }

  toggle(): void {
    if (this.#playing) this.pause();
    else this.play();
  }

  /** A step that is waited for is waited for anew, at the new speed. */
  setSpeed(speed: Speed): void {
    this.#speed = speed;
    if (this.#playing) this.#wait();
    this.changed();
  }

  #wait(): void {
    this.#callOff?.();
    this.#callOff = this.clock.after(STEP_MS / this.#speed, () => {
      this.#callOff = null;
      this.track.advance();
      if (!this.#playing) return;
      if (this.track.atEnd()) this.pause();
      else this.#wait();
    });
  }
}
