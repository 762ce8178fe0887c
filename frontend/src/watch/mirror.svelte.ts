/** A recording beside the engine on the page: its steps as they are made, and the one that is shown. */

import {
  listenToRecording,
  readRecordedStep,
  type Mirrored,
  type RecordedStep,
  type WatchedPartition,
} from "../service/watch";
import { Followed } from "./followed.svelte";

export class Mirror extends Followed<Mirrored> {
  recording = $state.raw<Mirrored | null>(null);
  /** The step that the reader has chosen; null follows the newest. */
  chosen = $state<number | null>(null);
  drawn = $state.raw<WatchedPartition | null>(null);

  readonly newest = $derived(this.recording?.recorded.findLast(({ was_read }) => was_read) ?? null);
  readonly shown: RecordedStep | null = $derived(
    this.recording?.recorded.find(({ number }) => number === this.chosen) ?? this.newest,
  );
  readonly difference: RecordedStep | null = $derived(
    this.recording?.recorded.find(({ number }) => number === this.recording?.difference) ?? null,
  );

  #asked = "";

  constructor(
    listen: typeof listenToRecording = listenToRecording,
    private readonly read: typeof readRecordedStep = readRecordedStep,
  ) {
    super(listen);
  }

  protected take(recording: Mirrored): void {
    this.recording = recording;
    void this.draw();
  }

  choose(number: number | null): void {
    this.chosen = number;
    void this.draw();
  }

  /** Reads the shown step, also again if its values are compared otherwise now. */
  async draw(): Promise<void> {
    const { shown } = this;
    if (shown === null) return;
    const asked = JSON.stringify(shown);
    if (asked === this.#asked) return;
    this.#asked = asked;
    const drawn = await this.read(shown.number).catch(() => null);
    if (this.#asked === asked) this.drawn = drawn;
  }
}
