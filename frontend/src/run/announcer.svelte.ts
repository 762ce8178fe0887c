/** What is spoken of a place in the run: once, when the playhead has come to rest there. */

import { browserClock, type Clock } from "../session/clock";

/** The story of a branch may come a moment after its frames; what passes within this time is not spoken. */
const SETTLING_MS = 400;

export class Announcer {
  text = $state("");
  /** The place that was spoken of. */
  #place: string | null = null;

  constructor(private readonly clock: Clock = browserClock) {}

  /** Speaks of a place unless that has been done; gives what calls it off. An empty text is a place that is passed. */
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
