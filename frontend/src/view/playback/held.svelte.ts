/** A value for texts: it does not change while frames pass too fast to read. */

import { untrack } from "svelte";

/** How a part of the page follows the playhead. */
export interface Pace {
  /** The part stays as it is. */
  readonly hurried: boolean;
  /** Whenever this number grows, the part is drawn once nevertheless. */
  readonly glances: number;
}

/** A part that is always drawn. */
export const UNHURRIED: Pace = { hurried: false, glances: 0 };

export class Held<T> {
  #kept: { readonly value: T; readonly glances: number } | null = null;
  readonly value: T = $derived.by(() => {
    const { hurried, glances } = this.pace();
    if (this.#kept === null || !hurried) this.#kept = { value: this.read(), glances };
    // It follows nothing that changes before the next glance.
    else if (this.#kept.glances !== glances) this.#kept = { value: untrack(this.read), glances };
    return this.#kept.value;
  });

  constructor(
    private readonly pace: () => Pace,
    private readonly read: () => T,
  ) {}
}
