/** A live cluster on the page: its readings, the one that is shown, and the verdict about the newest state. */

import { Assessing } from "../assess/assessing.svelte";
import {
  listenToReadings,
  readWatchedPartition,
  type News,
  type Reading,
  type WatchedPartition,
} from "../service/watch";
import { Followed } from "./followed.svelte";

/** Readings of one kind in a row: each with changes, several without, several that failed. */
export interface Entry {
  readonly kind: "first" | "changed" | "unchanged" | "failed";
  /** The newest one. */
  readonly reading: Reading;
  readonly count: number;
}

/** The readings, newest first: those without news in a row are one entry. */
export function entriesOf(readings: readonly Reading[]): Entry[] {
  const entries: Entry[] = [];
  for (const reading of readings) {
    const kind = kindOf(reading);
    const last = entries[0];
    const isSame =
      last?.kind === kind &&
      (kind === "unchanged" || (kind === "failed" && last.reading.failure === reading.failure));
    if (isSame) entries[0] = { kind, reading, count: last.count + 1 };
    else entries.unshift({ kind, reading, count: 1 });
  }
  return entries;
}

function kindOf({ number, failure, changes }: Reading): Entry["kind"] {
  if (failure !== null) return "failed";
  if (number === 1) return "first";
  return changes.length > 0 ? "changed" : "unchanged";
}

export class Watching extends Followed<News> {
  bootstrap = $state("");
  interval = $state(0);
  /** When the reading in progress began; null between two readings. */
  since = $state<string | null>(null);
  readings = $state.raw<readonly Reading[]>([]);
  /** The number of the reading that the reader has chosen; null follows the newest. */
  chosen = $state<number | null>(null);
  partition = $state<string | null>(null);
  drawn = $state.raw<WatchedPartition | null>(null);
  missing = $state(false);

  readonly entries = $derived(entriesOf(this.readings));
  readonly newest = $derived(this.readings.at(-1) ?? null);
  /** The newest reading that succeeded: the state that the page shows. */
  readonly last = $derived(this.readings.findLast(({ failure }) => failure === null) ?? null);
  readonly shown = $derived(
    this.readings.find(({ number }) => number === this.chosen) ?? this.last,
  );

  /** The number of the newest reading whose changes the verdict has. */
  #assessed = 0;
  #asked = "";

  constructor(
    readonly assessing = new Assessing(),
    listen: typeof listenToReadings = listenToReadings,
    private readonly read: typeof readWatchedPartition = readWatchedPartition,
  ) {
    super(listen);
  }

  protected take({ bootstrap, interval_s, reading_since, readings }: News): void {
    [this.bootstrap, this.interval, this.since] = [bootstrap, interval_s, reading_since];
    this.#add(readings);
  }

  choose(number: number | null): void {
    this.chosen = number;
    void this.draw();
  }

  /** Reads the chosen partition in the shown reading. */
  async draw(): Promise<void> {
    const [reading, partition] = [this.shown?.number, this.partition];
    if (reading === undefined || partition === null) return;
    const asked = `${String(reading)} ${partition}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const drawn = await this.read(reading, partition);
      if (this.#asked === asked) [this.drawn, this.missing] = [drawn, false];
    } catch {
      if (this.#asked === asked) [this.drawn, this.missing] = [null, true];
    }
  }

  #add(news: readonly Reading[]): void {
    const first = news[0];
    // A program that was started again counts from 1.
    const known = first === undefined ? this.readings : this.#before(first);
    this.readings = [...known, ...news];
    const { last } = this;
    if (last === null || last.number === this.#assessed) return;
    const isNew = (one: Reading): boolean =>
      one.number > this.#assessed && (one.changes.length > 0 || this.#assessed === 0);
    const question = { reading: last.number };
    const { assessing } = this;
    if (this.readings.some(isNew) || assessing.failed !== null) void assessing.follow(question);
    else assessing.rename(question);
    this.#assessed = last.number;
    void this.draw();
  }

  #before(first: Reading): readonly Reading[] {
    const known = this.readings.filter(({ number }) => number < first.number);
    const again = this.readings.find(({ number }) => number === first.number);
    if (again !== undefined && again.at !== first.at) {
      [this.#assessed, this.chosen, this.#asked] = [0, null, ""];
      return [];
    }
    return known;
  }
}
