/** The choices after the frame on the screen. They are fetched only where the playhead rests. */

import type { Choice } from "../service/api";
import { IdleWork } from "./idle-work";

export class NextChoices {
  all = $state.raw<readonly Choice[]>([]);
  readonly #idleWork = new IdleWork();
  #asked = 0;
  #pending: Promise<void> = Promise.resolve();

  constructor(
    /** Reads the choices after the shown frame; null if nothing can be done in the run. */
    private readonly read: (() => Promise<readonly Choice[]>) | null,
    private readonly onerror: (error: unknown) => void,
  ) {}

  /** Fetches the choices; the response for a frame that was left is ignored. */
  refresh(): Promise<void> {
    this.#pending = this.#fetch();
    return this.#pending;
  }

  /** The same, once the playhead rests. */
  refreshAtRest(): void {
    this.#idleWork.do(() => void this.refresh());
  }

  async #fetch(): Promise<void> {
    if (this.read === null) return;
    const asked = ++this.#asked;
    try {
      const choices = await this.read();
      if (asked === this.#asked) this.all = choices;
    } catch (error) {
      if (asked === this.#asked) this.onerror(error);
    }
  }

  /** Waits until the choices are loaded. */
  async known(): Promise<void> {
    this.#idleWork.flush();
    await this.#pending;
  }

  /** Takes the choices from another response, instead of all that were asked for before. */
  take(choices: readonly Choice[]): void {
    this.#asked += 1;
    this.#idleWork.drop();
    this.all = choices;
  }
}
