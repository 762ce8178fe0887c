/** A run on the screen: its frames, where the playhead stands, and the one way to change anything. */

import type { Translated, Frame, Step, StoryStep } from "../trace";

import { ApiError, type Acted, type Api, type Choice, type Problem, type ScenarioDocument, type Words } from "../service/api";
import { branchOf, listBranches, type Branch } from "./branches";
import { withNews } from "./news";
import { Resting } from "./resting";
import { stopsOf, withToldSteps, type Stop } from "../trace/story";

/** The same steps under another version, beside this run: the branch that was made first. */
export interface OtherVersion {
  readonly session: string;
  readonly kafka: string;
  readonly frames: readonly Frame[];
}

/** Another scenario under the release and controller of this run, from its start to its end. */
export interface OtherScenario {
  readonly id: string;
  readonly title: Translated;
  readonly frames: readonly Frame[];
}

/** Settings by name. */
export type Configs = Readonly<Record<string, number | boolean | string>>;

/** What every producer asks for: an argument of each step in which one sends. */
export interface Producing {
  readonly acks?: "all" | number;
  readonly idempotent?: boolean;
}

/** Settings that somebody wants otherwise, of brokers and of producers, and how they are now by name. */
export interface ChangedSettings {
  readonly configs: Configs;
  readonly producing: Producing;
  readonly was: Configs;
}

/** What producers ask for, by the names of their settings. */
function namedProducing({ acks, idempotent }: Producing): Configs {
  return { ...(acks === undefined ? {} : { acks }), ...(idempotent === undefined ? {} : { "enable.idempotence": idempotent }) };
}

/** The same steps, from the start, under other settings: a run of its own. */
export interface OtherSettings {
  readonly session: string;
  /** The settings that differ, by name, and how they are on this run. */
  readonly named: Configs;
  readonly was: Configs;
  /** The same as the service is asked. */
  readonly asked: { readonly configs: Configs; readonly producers: Producing };
  readonly frames: readonly Frame[];
}

/** Remembers, across reloads of a tab: which sessions run the same steps under other versions, and the like. */
export interface Memory {
  readonly read: (session: string) => readonly string[];
  readonly write: (session: string, others: readonly string[]) => void;
}

export const tabMemory: Memory = {
  read: (session) => {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(`highwater-beside-${session}`) ?? "[]");
      return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
    } catch {
      return [];
    }
  },
  write: (session, others) => {
    try {
      sessionStorage.setItem(`highwater-beside-${session}`, JSON.stringify(others));
    } catch {
      // Without storage the other versions are beside this run until the page is left.
    }
  },
};

export class Run {
  frames = $state.raw<Frame[]>([]);
  at = $state(0);
  tip = $state(0);
  choices = $state.raw<readonly Choice[]>([]);
  busy = $state(false);
  problem = $state<string | null>(null);
  /** Where in the last step something was wrong; empty where that is not known. */
  places = $state.raw<readonly Problem[]>([]);
  others = $state.raw<readonly OtherVersion[]>([]);
  scenarios = $state.raw<readonly OtherScenario[]>([]);
  /** Those that were made last. */
  otherSettings = $state.raw<OtherSettings | null>(null);
  /** The frames from which on a search found no way to keep what is lost later, on any branch. */
  #noReturns = $state.raw<readonly number[]>([]);
  /** What the service tells of each branch, by its tip. */
  #stories = $state.raw<Readonly<Record<number, readonly StoryStep[]>>>({});

  readonly branches: Branch[] = $derived(listBranches(this.frames));
  readonly branch: Branch | undefined = $derived(branchOf(this.branches, this.at, this.tip));
  readonly path: readonly number[] = $derived(this.branch?.path ?? [0]);
  readonly index = $derived(this.path.indexOf(this.at));
  /** The frames of the branch shown, in order. */
  readonly shown: readonly Frame[] = $derived(this.path.map((number) => this.frames[number]).filter((frame) => frame !== undefined));
  readonly stops: readonly Stop[] = $derived(stopsOf(this.shown, this.#stories[this.branch?.tip ?? 0] ?? []));
  readonly frame: Frame | undefined = $derived(this.frames[this.at]);
  /** The first point of no return on the branch shown; null where none is known. */
  readonly noReturn: number | null = $derived(this.path.find((number) => this.#noReturns.includes(number)) ?? null);
  readonly previous: Frame | null = $derived(this.index > 0 ? (this.frames[this.path[this.index - 1] ?? 0] ?? null) : null);

  /** Told of the copy in which an action was done, and of its frame there; null in a run of one's own. */
  oncopy: ((session: string, frame: number) => void) | null = null;

  #asked = 0;
  #choosing: Promise<void> = Promise.resolve();
  readonly #resting = new Resting();
  /** Those that are being asked for, by tip. */
  readonly #storiesAsked: Record<number, Promise<void> | undefined> = {};

  constructor(
    private readonly api: Api,
    readonly session: string | null,
    readonly kafka: string,
    readonly scenario: ScenarioDocument,
    readonly words: Words,
    frames: Frame[],
    at: number,
    private readonly memory: Memory = tabMemory,
    story: readonly StoryStep[] = [],
    /** Where it is a share: its id, and the end of the branch that it opens on, which the story is of. */
    readonly shared: { readonly sid: string; readonly tip: number } | null = null,
  ) {
    this.frames = frames;
    this.at = frames[at] === undefined ? 0 : at;
    this.tip = branchOf(listBranches(frames), this.at, shared?.tip ?? frames.length - 1)?.tip ?? this.at;
    if (session !== null) this.#noReturns = memory.read(noReturnsOf(session)).map(Number);
    if (story.length > 0) this.#stories = { [shared?.tip ?? this.tip]: story };
  }

  get readOnly(): boolean {
    return this.session === null;
  }

  /** Remembers, as long as the tab is open, that there is no return from a frame. */
  markNoReturn(frame: number | undefined): void {
    if (frame === undefined || this.#noReturns.includes(frame)) return;
    this.#noReturns = [...this.#noReturns, frame];
    if (this.session !== null) this.memory.write(noReturnsOf(this.session), this.#noReturns.map(String));
  }

  /** The step of the story that a frame belongs to. */
  stepOf = (frame: number): number => this.frames[frame]?.step ?? 0;

  /** Stands on a frame. Nothing is fetched but what can happen there, and that where the playhead rests. */
  goTo(frame: number): void {
    if (this.frames[frame] === undefined) return;
    if (!this.path.includes(frame)) {
      this.tip = branchOf(this.branches, frame, this.tip)?.tip ?? frame;
    }
    this.at = frame;
    this.problem = null;
    this.#resting.do(() => void this.refreshChoices());
  }

  /** Passes a place on the branch: what can happen there is not asked for. */
  passTo(index: number): void {
    const frame = this.path[index];
    if (frame === undefined) return;
    this.at = frame;
    this.problem = null;
  }

  goToIndex(index: number): void {
    const frame = this.path[Math.min(Math.max(index, 0), this.path.length - 1)];
    if (frame !== undefined) this.goTo(frame);
  }

  openBranch(tip: number, frame: number = tip): void {
    this.tip = tip;
    this.at = frame;
    this.problem = null;
    void this.refreshChoices();
  }

  /** The next branch in the order of the rows, as far along as this one is. */
  nextBranch(): void {
    const here = this.branches.findIndex((branch) => branch.tip === this.branch?.tip);
    const next = this.branches[(here + 1) % this.branches.length];
    if (next === undefined || next.tip === this.branch?.tip) return;
    this.openBranch(next.tip, next.path[Math.min(this.index, next.path.length - 1)]);
  }

  /** Asks what can happen after the frame shown; an answer for a frame that was left is dropped. */
  refreshChoices(): Promise<void> {
    this.#choosing = this.#readChoices();
    return this.#choosing;
  }

  async #readChoices(): Promise<void> {
    if (this.session === null) return;
    const asked = ++this.#asked;
    const after = this.at;
    try {
      const choices = await this.api.readChoices(this.session, after);
      if (asked === this.#asked) this.choices = choices;
    } catch (error) {
      if (asked === this.#asked) this.problem = messageOf(error);
    }
  }

  /** Waits until it is known what can happen after the frame shown. */
  async choicesKnown(): Promise<void> {
    this.#resting.flush();
    await this.#choosing;
  }

  /** Does what is chosen from what can happen after the frame shown, once that is known. */
  async actOn(choose: (choices: readonly Choice[]) => Choice | undefined): Promise<void> {
    const at = this.at;
    await this.choicesKnown();
    const chosen = at === this.at ? choose(this.choices) : undefined;
    if (chosen?.enabled === true) await this.act(chosen.step);
  }

  /** The one gateway for writes: does a step after the frame shown and stands on what it made. */
  async act(step: Step): Promise<void> {
    if (this.oncopy !== null) return this.#actOnCopy([step]);
    if (this.session === null || this.busy) return;
    this.busy = true;
    this.problem = null;
    this.places = [];
    try {
      const acted = await this.api.act(this.session, this.at, step, this.frames.length);
      await this.#take(acted);
    } catch (error) {
      this.problem = messageOf(error);
      this.places = error instanceof ApiError ? error.errors : [];
      if (error instanceof ApiError && error.status === 409) void this.refreshChoices();
    } finally {
      this.busy = false;
    }
  }

  /** Somebody else's run is read only: what one does there is done in a copy of one's own. */
  async #actOnCopy(steps: readonly Step[]): Promise<void> {
    if (this.session === null || this.busy) return;
    this.busy = true;
    this.problem = null;
    this.places = [];
    try {
      const made = await this.api.createSession({ session: this.session, at: this.path[this.path.length - 1] });
      // The copy has this branch alone: its frames are numbered along it.
      let after = this.index;
      let known = made.frames;
      for (const step of steps) {
        const acted = await this.api.act(made.id, after, step, known);
        after = acted.head;
        known = acted.total;
      }
      this.oncopy?.(made.id, after);
    } catch (error) {
      this.problem = messageOf(error);
      this.places = error instanceof ApiError ? error.errors : [];
    } finally {
      this.busy = false;
    }
  }

  /** Does one step after another from a frame: a branch, unless that frame is the head. */
  async follow(after: number, steps: readonly Step[]): Promise<void> {
    this.goTo(after);
    if (this.oncopy !== null) return this.#actOnCopy(steps);
    for (const step of steps) {
      await this.act(step);
      if (this.problem !== null) return;
    }
  }

  /** Stands on the last frame that was made, with everything made before it, by whoever made it. */
  async #take(acted: Acted): Promise<void> {
    let frames = withNews(this.frames, acted);
    if (this.session !== null && frames[acted.head] === undefined) {
      // More than one answer holds.
      frames = [...frames, ...(await this.api.readTimeline(this.session, frames.length)).frames];
    }
    const told = withToldSteps(this.#stories[this.tip] ?? [], acted.story);
    this.frames = frames;
    this.#stories = { ...this.#stories, [acted.head]: told };
    this.tip = acted.head;
    this.at = acted.head;
    this.#asked += 1;
    this.#resting.drop();
    this.choices = acted.choices;
  }

  /** Fetches what was done to this run elsewhere, in another tab say; where we stand does not change. */
  async refresh(): Promise<void> {
    if (this.session === null || this.busy) return;
    try {
      const { frames: total } = await this.api.readSession(this.session);
      if (total <= this.frames.length) return;
      const { frames } = await this.api.readTimeline(this.session, this.frames.length);
      const wasAtTip = this.at === this.tip;
      this.frames = [...this.frames, ...frames.filter((frame) => this.frames[frame.frame] === undefined)];
      this.tip = branchOf(this.branches, this.at, this.tip)?.tip ?? this.at;
      if (wasAtTip) void this.refreshChoices();
    } catch {
      // Nobody asked for this: what is on the screen stays, and the next action says what is wrong.
    }
  }

  /** Asks for the story of the branch shown, where it is not known. */
  loadStory(): Promise<void> {
    const tip = this.branch?.tip;
    if ((this.session === null && this.shared === null) || tip === undefined || this.#stories[tip] !== undefined) return Promise.resolve();
    const asked = this.#storiesAsked[tip] ?? this.#readStory(tip);
    this.#storiesAsked[tip] = asked;
    return asked;
  }

  async #readStory(tip: number): Promise<void> {
    try {
      const { head, story } = await (this.session === null ? this.api.readShareStory(this.shared?.sid ?? "", tip) : this.api.readStory(this.session, tip));
      this.#stories = { ...this.#stories, [head]: story };
    } catch {
      // The steps have their numbers; their words come with the next try.
    } finally {
      this.#storiesAsked[tip] = undefined;
    }
  }

  /** Brings back the runs of the same steps under other versions that were made before. */
  async loadOthers(): Promise<void> {
    if (this.session === null) return;
    const found = await Promise.all(this.memory.read(this.session).map((id) => this.#readOther(id).catch(() => null)));
    this.others = found.filter((other) => other !== null);
  }

  async #readOther(id: string): Promise<OtherVersion> {
    const [session, { frames }] = await Promise.all([this.api.readSession(id), this.api.readTimeline(id, 0)]);
    return { session: id, kafka: session.kafka, frames: firstBranch(frames) };
  }

  /** The same steps, as far as this branch goes, under another version: a run of its own, beside this one. */
  async replayUnder(kafka: string): Promise<OtherVersion | null> {
    if (this.session === null || this.busy) return null;
    const before = this.others.find((other) => other.kafka === kafka);
    if (before !== undefined && before.frames.length > 0) return before;
    this.busy = true;
    this.problem = null;
    try {
      const made = await this.api.createSession({ session: this.session, at: this.path[this.path.length - 1], kafka });
      const { frames } = await this.api.readTimeline(made.id, 0);
      const other = { session: made.id, kafka: made.kafka, frames: firstBranch(frames) };
      this.others = [...this.others, other];
      const all = [this.session, ...this.others.map((one) => one.session)];
      for (const session of all) this.memory.write(session, all.filter((one) => one !== session));
      return other;
    } catch (error) {
      this.problem = messageOf(error);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** The same steps, as far as this branch goes, from the start under other settings. */
  async replayWith({ configs, producing, was }: ChangedSettings): Promise<OtherSettings | null> {
    if (this.session === null || this.busy) return null;
    this.busy = true;
    this.problem = null;
    this.places = [];
    try {
      const asked = { configs, producers: producing };
      const made = await this.api.createSession({ session: this.session, at: this.path[this.path.length - 1], ...asked });
      const { frames } = await this.api.readTimeline(made.id, 0);
      this.otherSettings = { session: made.id, named: { ...configs, ...namedProducing(producing) }, was, asked, frames: firstBranch(frames) };
      return this.otherSettings;
    } catch (error) {
      this.problem = messageOf(error);
      this.places = error instanceof ApiError ? error.errors : [];
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** A shipped scenario as it goes under this run's release and controller, played once. */
  async playBeside(id: string): Promise<OtherScenario | null> {
    if (this.session === null || this.busy) return null;
    const before = this.scenarios.find((other) => other.id === id);
    if (before !== undefined) return before;
    this.busy = true;
    this.problem = null;
    try {
      const { kafka, control } = await this.api.readSession(this.session);
      const made = await this.api.createSession({ scenario_id: id, kafka, control });
      const { frames } = await this.api.readTimeline(made.id, 0);
      const other = { id, title: made.words.title, frames: firstBranch(frames) };
      this.scenarios = [...this.scenarios, other];
      return other;
    } catch (error) {
      this.problem = messageOf(error);
      return null;
    } finally {
      this.busy = false;
    }
  }
}

/** Under which name the tab remembers the points of no return of a session. */
function noReturnsOf(session: string): string {
  return `no-return-${session}`;
}

function firstBranch(frames: readonly Frame[]): Frame[] {
  const path = listBranches(frames)[0]?.path ?? [];
  return path.map((number) => frames[number]).filter((frame) => frame !== undefined);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
