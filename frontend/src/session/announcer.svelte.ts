/** Announces a position of the run to screen readers: once, when the playhead rests there. */

import { browserClock, type Clock } from "./clock";

/**
 * The story of a branch may arrive shortly after its frames; positions passed within this time (ms)
 * are not announced.
 */
const SETTLING_MS = 400;

export class Announcer {
  text = $state("");
  /** The last announced position. */
  #place: string | null = null;

  constructor(private readonly clock: Clock = browserClock) {}

  /**
   * Announces a position unless it was announced before; returns a function that cancels it. An
   * empty text means that the position is only passed.
   */
  at(place: string, text: string): (() => void) | undefined {
    if (place === this.#place) return undefined;
    this.#place = null;
    this.text = "";
    return this.clock.after(SETTLING_MS, () => {
      this.text = text;
      if (text !== "") this.#place = place;
    });
  }
}
