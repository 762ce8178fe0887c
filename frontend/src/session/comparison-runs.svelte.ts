/** The runs that a run can be compared with: under other versions or settings, and other scenarios. */

import type { Api } from "../service/api";
import type { Frame, StoryStep, Translated } from "../trace";
import { listBranches } from "./branches";
import type { ExclusiveRequest } from "./exclusive-request.svelte";
import type { TabMemory } from "./tab-memory";

/** The first branch of a run, with its story. */
interface PlayedRun {
  readonly frames: readonly Frame[];
  readonly story: readonly StoryStep[];
}

/** The same steps under another version, for comparison. */
export interface OtherVersion extends PlayedRun {
  readonly session: string;
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
    const { session } = this.run;
    if (session === null) return;
    const [versions, settings] = await Promise.all([
      Promise.all(this.memory.read(session).map((id) => this.#readVersion(id).catch(() => null))),
      this.#readSettings(session).catch(() => null),
    ]);
    this.versions = versions.filter((version) => version !== null);
    this.settings ??= settings;
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
    const { session, end } = this.run;
    if (session === null || this.request.busy) return null;
    const before = this.versions.find((version) => version.kafka === kafka);
    if (before !== undefined && before.frames.length > 0) return before;
    return this.request.perform(async () => {
      const made = await this.api.createSession({ session, at: end, kafka });
      const version = { session: made.id, kafka: made.kafka, ...(await this.#play(made.id)) };
      this.versions = [...this.versions, version];
      const all = [session, ...this.versions.map((one) => one.session)];
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
    const { session, end } = this.run;
    if (session === null) return null;
    return this.request.perform(async () => {
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
    const { session } = this.run;
    if (session === null || this.request.busy) return null;
    const before = this.scenarios.find((scenario) => scenario.id === id);
    if (before !== undefined) return before;
    return this.request.perform(async () => {
      const { kafka, control } = await this.api.readSession(session);
      const made = await this.api.createSession({ scenario_id: id, kafka, control });
      const scenario = { id, title: made.words.title, ...(await this.#play(made.id)) };
      this.scenarios = [...this.scenarios, scenario];
      return scenario;
    });
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
