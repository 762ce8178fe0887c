/** The runs that a run can be compared with: under other versions or settings, and other scenarios. */

import type { Api, Session } from "../service/api";
import type { Frame, StoryStep, Translated } from "../trace";
import { listBranches } from "./branches";
import type { ExclusiveRequest } from "./exclusive-request.svelte";
import type { LessonReading } from "./lesson-reading";
import type { TabMemory } from "./tab-memory";

/** The first branch of a run, with its story. */
interface PlayedRun {
  readonly frames: readonly Frame[];
  readonly story: readonly StoryStep[];
}

/** The same steps under another version, for comparison. */
export interface OtherVersion extends PlayedRun {
  /** Null for a lesson that is only read. */
  readonly session: string | null;
  readonly kafka: string;
}

/** Another scenario under the release and controller of this run, from its start to its end. */
export interface OtherScenario extends PlayedRun {
  readonly id: string;
  readonly title: Translated;
}

/** Settings by name. */
export type Configs = Readonly<Record<string, number | boolean | string>>;

/** The settings of every producer, as arguments of each produce step. */
export interface Producing {
  readonly acks?: "all" | number;
  readonly idempotent?: boolean;
}

/** Changed settings of brokers and producers, and the current values by name. */
export interface ChangedSettings {
  readonly configs: Configs;
  readonly producing: Producing;
  readonly was: Configs;
}

/** The same steps, from the start, under other settings, as a separate run. */
export interface OtherSettings extends PlayedRun {
  readonly session: string;
  /** The settings that differ, by name, and their values in this run. */
  readonly named: Configs;
  readonly was: Configs;
  /** The same in the form of a request. */
  readonly asked: { readonly configs: Configs; readonly producers: Producing };
}

/** The run that is compared: its id, if the service has it, and the last frame of the shown branch. */
interface BaseRun {
  readonly session: string | null;
  readonly end: number | undefined;
  readonly reading: LessonReading | null;
  readonly begin: () => Promise<string | null>;
}

export class ComparisonRuns {
  versions = $state.raw<readonly OtherVersion[]>([]);
  scenarios = $state.raw<readonly OtherScenario[]>([]);
  /** Only the last one is kept. */
  settings = $state.raw<OtherSettings | null>(null);

  constructor(
    private readonly run: BaseRun,
    private readonly api: Api,
    private readonly request: ExclusiveRequest,
    private readonly memory: TabMemory,
  ) {}

  /** Restores earlier runs of the same steps under other versions and settings. */
  async restore(): Promise<void> {
    const { session, reading } = this.run;
    if (reading !== null) this.versions = await this.#restoreReleases(reading);
    if (session === null) return;
    const [versions, settings] = await Promise.all([
      Promise.all(this.memory.read(session).map((id) => this.#readVersion(id).catch(() => null))),
      this.#readSettings(session).catch(() => null),
    ]);
    this.versions = versions.filter((version) => version !== null);
    this.settings ??= settings;
  }

  /** Those of a lesson that is only read, by their names. */
  async #restoreReleases(reading: LessonReading): Promise<readonly OtherVersion[]> {
    const others = this.memory.read(releasesKey(reading)).filter((name) => name !== reading.kafka);
    const read = await Promise.all(
      others.map((name) => this.#readUnder(reading, name).catch(() => null)),
    );
    return read.filter((version) => version !== null);
  }

  async #readUnder(reading: LessonReading, name: string): Promise<OtherVersion> {
    const { kafka, frames, story } = await reading.under(name);
    return { session: null, kafka, frames, story };
  }

  async #readSettings(session: string): Promise<OtherSettings | null> {
    const [kept] = this.memory.read(settingsKey(session));
    if (kept === undefined) return null;
    const settings = JSON.parse(kept) as Omit<OtherSettings, keyof PlayedRun>;
    return { ...settings, ...(await this.#play(settings.session)) };
  }

  async #readVersion(id: string): Promise<OtherVersion> {
    const [{ kafka }, played] = await Promise.all([this.api.readSession(id), this.#play(id)]);
    return { session: id, kafka, ...played };
  }

  /** Runs the steps of the shown branch under another version, once. Null if that failed. */
  async replayUnder(kafka: string): Promise<OtherVersion | null> {
    const { session, end, reading } = this.run;
    if ((session === null && reading === null) || this.request.busy) return null;
    const before = this.versions.find((version) => version.kafka === kafka);
    // What was read of a lesson lacks the reader's own steps.
    const isWhole = before !== undefined && (before.session !== null || session === null);
    if (isWhole && before.frames.length > 0) return before;
    const others = this.versions.filter((version) => version !== before);
    return this.request.perform(async () => {
      if (session === null) {
        if (reading === null) return null;
        const version = await this.#readUnder(reading, kafka);
        this.versions = [...others, version];
        const names = [reading, ...this.versions].map((one) => one.kafka);
        this.memory.write(releasesKey(reading), names);
        return version;
      }
      const made = await this.api.createSession({ session, at: end, kafka });
      const version = { session: made.id, kafka: made.kafka, ...(await this.#play(made.id)) };
      this.versions = [...others, version];
      const kept = this.versions.map((one) => one.session).filter((one) => one !== null);
      const all = [session, ...kept];
      for (const one of all)
        this.memory.write(
          one,
          all.filter((other) => other !== one),
        );
      return version;
    });
  }

  /** Runs the steps of the shown branch from the start under other settings. Null if that failed. */
  async replayWith({ configs, producing, was }: ChangedSettings): Promise<OtherSettings | null> {
    const { end } = this.run;
    return this.request.perform(async () => {
      const session = await this.run.begin();
      if (session === null) return null;
      const asked = { configs, producers: producing };
      const made = await this.api.createSession({ session, at: end, ...asked });
      const settings = {
        session: made.id,
        named: { ...configs, ...namedProducing(producing) },
        was,
        asked,
      };
      this.settings = { ...settings, ...(await this.#play(made.id)) };
      this.memory.write(settingsKey(session), [JSON.stringify(settings)]);
      return this.settings;
    });
  }

  /** Runs a shipped scenario under this run's release and controller, once. Null if that failed. */
  async playScenario(id: string): Promise<OtherScenario | null> {
    const { session, reading } = this.run;
    if ((session === null && reading === null) || this.request.busy) return null;
    const before = this.scenarios.find((scenario) => scenario.id === id);
    if (before !== undefined) return before;
    return this.request.perform(async () => {
      const played =
        session === null ? await reading?.other(id) : await this.#playInSession(session, id);
      if (played === undefined) return null;
      const { frames, story, words } = played;
      const scenario = { id, title: words.title, frames, story };
      this.scenarios = [...this.scenarios, scenario];
      return scenario;
    });
  }

  async #playInSession(session: string, id: string): Promise<PlayedRun & Pick<Session, "words">> {
    const { kafka, control } = await this.api.readSession(session);
    const made = await this.api.createSession({ scenario_id: id, kafka, control });
    return { words: made.words, ...(await this.#play(made.id)) };
  }

  async #play(session: string): Promise<PlayedRun> {
    const { frames } = await this.api.readTimeline(session, 0);
    const path = listBranches(frames)[0]?.path ?? [];
    const { story } = await this.api.readStory(session, path.at(-1) ?? 0);
    return {
      frames: path.map((number) => frames[number]).filter((frame) => frame !== undefined),
      story,
    };
  }
}

function releasesKey({ id }: LessonReading): string {
  return `lesson-${id}`;
}

function settingsKey(session: string): string {
  return `settings-${session}`;
}

/** The settings of producers, by name. */
function namedProducing({ acks, idempotent }: Producing): Configs {
  return {
    ...(acks === undefined ? {} : { acks }),
    ...(idempotent === undefined ? {} : { "enable.idempotence": idempotent }),
  };
}
