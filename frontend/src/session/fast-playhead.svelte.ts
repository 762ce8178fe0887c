/** Whether the playhead passes positions faster than they can be read; then only the parts that move with it are drawn. */

import { browserClock, type Clock } from "./clock";
import { REST_MS } from "./idle-work";

/** This many positions in quick succession are still drawn in full, for a user who presses a key a few times. */
const FULL_AT_FIRST = 3;
/** While the playhead keeps moving fast, everything is drawn at least this often (ms). */
export const GLANCE_MS = 900;
/** If drawing keeps up, a screen frame takes less than this (ms); and the number of frames that may take longer. */
const LATE_MS = 25;
const MOST_LATE = 2;

export class FastPlayhead {
  /** Texts are not drawn. */
  hurried = $state(false);
  /** Drawing does not keep up, so only the playhead is drawn. */
  late = $state(false);
  #rest: (() => void) | null = null;
  #glance: (() => void) | null = null;
  #passed = 0;
  #lateFrames = 0;
  #watching = false;

  constructor(private readonly clock: Clock = browserClock) {}

  /** The playhead has moved. */
  moved(): void {
    this.#passed += 1;
    if (this.#passed > FULL_AT_FIRST) this.#hurry();
    this.#rest?.();
    this.#rest = this.clock.after(REST_MS, () => this.rest());
  }

  /** The playhead rests here. */
  rest(): void {
    this.#rest?.();
    this.#glance?.();
    this.#rest = null;
    this.#glance = null;
    this.#passed = 0;
    this.#lateFrames = 0;
    this.hurried = false;
    this.late = false;
  }

  #hurry(): void {
    if (!this.#watching && typeof requestAnimationFrame === "function") this.#watch();
    this.hurried = true;
    this.late = this.#lateFrames > MOST_LATE;
    this.#glance ??= this.clock.after(GLANCE_MS, () => {
      this.#glance = null;
      this.hurried = false;
      this.late = false;
    });
  }

  /** Counts late screen frames while the playhead passes frames of the run. */
  #watch(before?: number): void {
    this.#watching = true;
    requestAnimationFrame((now) => {
      this.#watching = false;
      if (this.#rest === null) return;
      if (before !== undefined && this.hurried && now - before > LATE_MS) this.#lateFrames += 1;
      this.#watch(now);
    });
  }
}
