/** Defers work until the playhead rests. */

import { browserClock, type Clock } from "./clock";

/**
 * The time (ms) after which the playhead counts as resting; with a held key or fast playback it
 * moves sooner.
 */
export const REST_MS = 120;

export class IdleWork {
  #cancel: (() => void) | null = null;
  #waiting: (() => void) | null = null;

  constructor(private readonly clock: Clock = browserClock) {}

  /**
   * Runs the work immediately after a rest; otherwise when the next rest begins, unless newer work
   * replaces it.
   */
  do(work: () => void): void {
    if (this.#cancel === null) work();
    else this.#waiting = work;
    this.#cancel?.();
    this.#cancel = this.clock.after(REST_MS, () => this.flush());
  }

  /** Runs the waiting work now. */
  flush(): void {
    const work = this.#waiting;
    this.drop();
    work?.();
  }

  /** Drops the waiting work. */
  drop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#waiting = null;
  }
}
