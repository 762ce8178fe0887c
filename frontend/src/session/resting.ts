/** Work that may wait until nobody moves. */

import { browserClock, type Clock } from "./clock";

/** Who holds a key down, or plays fast, comes to the next place sooner than this. */
export const REST_MS = 120;

export class Resting {
  #cancel: (() => void) | null = null;
  #waiting: (() => void) | null = null;

  constructor(private readonly clock: Clock = browserClock) {}

  /** Does it at once after a rest; else when the next rest begins, unless something else came in its place. */
  do(work: () => void): void {
    if (this.#cancel === null) work();
    else this.#waiting = work;
    this.#cancel?.();
    this.#cancel = this.clock.after(REST_MS, () => this.flush());
  }

  /** Does now what waits. */
  flush(): void {
    const work = this.#waiting;
    this.drop();
    work?.();
  }

  /** Forgets what waits. */
  drop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#waiting = null;
  }
}
