/** Whether the playhead passes positions faster than they can be read; then only the parts that move with it are drawn. */

import { browserClock, type Clock } from "./clock";
import { REST_MS } from "./idle-work";

/** This many positions in quick succession are still drawn in full, for a user who presses a key a few times. */
const FULL_AT_FIRST = 3;
/** While the playhead keeps moving fast, the waiting parts are drawn at most this often (ms). */
export const GLANCE_MS = 900;
/** If drawing keeps up, a screen frame takes less than this (ms), and frames that take longer lose less than this together: three screen frames. */
const LATE_MS = 25;
const MOST_LOST_MS = 48;
const SCREEN_FRAME_MS = 1000 / 60;
/** A glance that made the screen late is followed by a wait that many times as long, up to a maximum (ms). */
const WAIT_FOR_LATE = 40;
const LONGEST_WAIT_MS = 5_000;

/** The parts of the page whose drawing waits, in the order in which they are drawn: one on each screen frame, and the words at once when the playhead rests. */
export const PARTS = ["words", "logs", "lanes", "track", "messages", "table"] as const;
export type Part = (typeof PARTS)[number];

/** How one part of the page follows the playhead. */
class PartPace {
  /** The part stays as it is, because the playhead moves fast. */
  hurried = $state(false);
  /** The number of times that it was drawn nevertheless. */
  glances = $state(0);
}

export class FastPlayhead {
  readonly parts = Object.fromEntries(PARTS.map((part) => [part, new PartPace()])) as Readonly<
    Record<Part, PartPace>
  >;
  /** Drawing does not keep up, so only the playhead is drawn. */
  late = $state(false);
  #rest: (() => void) | null = null;
  #glance: (() => void) | null = null;
  /** Stops drawing part by part. */
  #drawing: (() => void) | null = null;
  #passed = 0;
  /** Lost to late screen frames since the playhead began to move, and since the last glance (ms). */
  #lostMs = 0;
  #lostToGlanceMs = 0;
  #wait = GLANCE_MS;
  #watching = false;

  constructor(private readonly clock: Clock = browserClock) {}

  /** Whether no text is drawn. */
  get hurried(): boolean {
    return PARTS.every((part) => this.parts[part].hurried);
  }

  /** The playhead has moved. */
  moved(): void {
    this.#passed += 1;
    if (!this.#watching && typeof requestAnimationFrame === "function") this.#watch();
    if (this.#passed > FULL_AT_FIRST) this.#hurry();
    this.#rest?.();
    this.#rest = this.clock.after(REST_MS, () => {
      this.#rest = null;
      this.#cancelGlance();
      if (!this.hurried) {
        this.rest();
        return;
      }
      this.#show(PARTS[0]);
      this.#drawInTurn(
        (part) => this.#show(part),
        () => this.rest(),
        1,
      );
    });
  }

  /** The playhead rests here: all parts are drawn now. */
  rest(): void {
    this.#rest?.();
    this.#rest = null;
    this.#cancelGlance();
    this.#passed = 0;
    this.#lostMs = 0;
    this.#wait = GLANCE_MS;
    for (const part of PARTS) this.#show(part);
  }

  #show(part: Part): void {
    this.parts[part].hurried = false;
    if (part === "logs") this.late = false;
  }

  #hurry(): void {
    // A move while the parts of a rest are being drawn ends that rest.
    if (this.#rest === null) this.#cancelGlance();
    for (const part of PARTS) this.parts[part].hurried = true;
    this.late = this.#lostMs > MOST_LOST_MS;
    this.#glance ??= this.clock.after(this.#wait, () => {
      this.#lostToGlanceMs = 0;
      this.#drawInTurn(
        (part) => {
          // A table that nobody sees, and that changes with each row, can wait for the rest.
          if (part !== "table") this.parts[part].glances += 1;
        },
        () => {
          this.#wait = Math.min(GLANCE_MS + WAIT_FOR_LATE * this.#lostToGlanceMs, LONGEST_WAIT_MS);
          this.#cancelGlance();
        },
      );
    });
  }

  #cancelGlance(): void {
    this.#glance?.();
    this.#glance = null;
    this.#drawing?.();
    this.#drawing = null;
  }

  /** Draws one part on each screen frame; a page that is not on the screen has no frames, and draws all. */
  #drawInTurn(draw: (part: Part) => void, done: () => void, turn = 0): void {
    const part = PARTS[turn];
    if (part === undefined) done();
    else if (typeof requestAnimationFrame !== "function" || document.hidden) {
      draw(part);
      this.#drawInTurn(draw, done, turn + 1);
    } else {
      const frame = requestAnimationFrame(() => {
        draw(part);
        this.#drawInTurn(draw, done, turn + 1);
      });
      this.#drawing = () => cancelAnimationFrame(frame);
    }
  }

  /** Measures what late screen frames lose while the playhead moves. */
  #watch(before?: number): void {
    this.#watching = true;
    requestAnimationFrame((now) => {
      this.#watching = false;
      if (this.#rest === null) return;
      if (before !== undefined && now - before > LATE_MS) {
        this.#lostMs += now - before - SCREEN_FRAME_MS;
        this.#lostToGlanceMs += now - before - SCREEN_FRAME_MS;
      }
      this.#watch(now);
    });
  }
}
