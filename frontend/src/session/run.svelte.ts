/** A run on the screen: its frames, the playhead, and the single gateway for changes. */

import {
  ApiError,
  type Acted,
  type Api,
  type Choice,
  type Comparison,
  type OperatorWords,
  type Problem,
  type ScenarioDocument,
  type SimpleView,
  type Words,
} from "../service/api";
import type { Frame, Step, StoryStep } from "../trace";
import { stopsOf, type Stop } from "../trace/story";
import { BranchStories } from "./branch-stories.svelte";
import { branchOf, listBranches, type Branch } from "./branches";
import { ComparisonRuns } from "./comparison-runs.svelte";
import { ExclusiveRequest } from "./exclusive-request.svelte";
import { FastPlayhead } from "./fast-playhead.svelte";
import type { LessonReading } from "./lesson-reading";
import { withNewFrames } from "./new-frames";
import { NextChoices } from "./next-choices.svelte";
import { PointsOfNoReturn } from "./points-of-no-return.svelte";
import { tabMemory, type TabMemory } from "./tab-memory";

/** A share: its id, and the end of the branch on which it opens. */
interface SharedRun {
  readonly sid: string;
  readonly tip: number;
}

/** Where a run comes from, if it is not just a session. */
interface RunOrigin {
  readonly memory?: TabMemory;
  /** The story of the branch on which it opens. */
  readonly story?: readonly StoryStep[];
  readonly shared?: SharedRun | null;
  readonly lesson?: LessonReading | null;
  readonly lessonId?: string | null;
  readonly simple?: SimpleView | null;
}

/** What the shown branch is compared with: one of these, or something else that the service knows. */
export interface Question {
  readonly kafka?: string;
  readonly scenario_id?: string;
  readonly [other: string]: unknown;
}

export class Run {
  /** The session in which its steps are stored; null for a stored run, and while a lesson is read. */
  session: string | null = $state(null);
  frames = $state.raw<Frame[]>([]);
  /** The shown frame. */
  at = $state(0);
  /** The end of the shown branch, which contains the shown frame. */
  tip = $state(0);

  readonly branches: Branch[] = $derived(listBranches(this.frames));
  /** It follows `tip` alone, not the playhead: nearly all of the page follows it. */
  readonly branch: Branch | undefined = $derived(
    this.branches.find((branch) => branch.tip === this.tip),
  );
  readonly path: readonly number[] = $derived(this.branch?.path ?? [0]);
  readonly index = $derived(this.path.indexOf(this.at));
  /** The frames of the shown branch, in order. */
  readonly shown: readonly Frame[] = $derived(
    this.path.map((number) => this.frames[number]).filter((frame) => frame !== undefined),
  );
  readonly stops: readonly Stop[] = $derived.by(() =>
    stopsOf(this.shown, this.stories.of(this.branch?.tip ?? 0)),
  );
  /** The number of the last step of the shown branch. */
  readonly steps: number = $derived(this.stops.at(-1)?.step ?? 0);
  /** Whether the story of the shown branch is still to be loaded, so that its steps have no texts and marks. */
  readonly storyPending: boolean = $derived.by(
    () => this.replayable && !this.stories.isLoaded(this.branch?.tip ?? 0),
  );
  readonly frame: Frame | undefined = $derived(this.frames[this.at]);
  /** The last frame up to the shown one that belongs to the first branch. */
  readonly leftLessonAt: number = $derived.by(() => {
    const main = this.branches.find(({ partsAfter }) => partsAfter === null)?.path ?? [];
    const passed = this.path.slice(0, this.index + 1);
    return passed.findLast((frame, index) => main[index] === frame) ?? 0;
  });
  /** The first point of no return on the shown branch; null if none is known. */
  readonly noReturn: number | null = $derived.by(() => this.pointsOfNoReturn.firstOn(this.path));
  readonly previous: Frame | null = $derived(
    this.index > 0 ? (this.frames[this.path[this.index - 1] ?? 0] ?? null) : null,
  );

  /**
   * Called with the copy in which an action was performed, and its frame there; null for the user's
   * own run.
   */
  oncopy: ((session: string, frame: number) => void) | null = null;
  /** Called before the session of a lesson begins: its address is still that of the lesson. */
  onbegin: (() => void) | null = null;
  #beginning: Promise<string> | null = null;

  readonly shared: SharedRun | null;
  /** The lesson that is read until the reader acts. */
  readonly lesson: LessonReading | null;
  /** The id of the shipped lesson that it is a run of; null for any other. */
  readonly lessonId: string | null;
  /** What the lesson shows to a reader who has only read those before it; null: everything. */
  readonly simple: SimpleView | null;
  readonly fastPlayhead = new FastPlayhead();
  readonly comparisons: ComparisonRuns;
  readonly pointsOfNoReturn: PointsOfNoReturn;
  readonly #request = new ExclusiveRequest();
  readonly #choices: NextChoices;
  readonly stories: BranchStories;

  constructor(
    private readonly api: Api,
    session: string | null,
    readonly kafka: string,
    readonly scenario: ScenarioDocument,
    readonly words: Words,
    frames: readonly Frame[],
    at: number,
    {
      memory = tabMemory,
      story = [],
      shared = null,
      lesson = null,
      lessonId = null,
      simple = null,
    }: RunOrigin = {},
  ) {
    this.session = session;
    this.shared = shared;
    this.lesson = lesson;
    this.lessonId = lessonId;
    this.simple = simple;
    this.comparisons = new ComparisonRuns(this, api, this.#request, memory);
    this.pointsOfNoReturn = new PointsOfNoReturn(() => this.session, memory);
    this.#choices = new NextChoices(
      this.readOnly ? null : () => this.#readChoices(),
      (error) => (this.#request.error = error),
    );
    this.stories = new BranchStories((tip) =>
      this.session === null
        ? api.readShareStory(shared?.sid ?? "", tip)
        : api.readStory(this.session, tip),
    );
    this.frames = [...frames];
    this.at = frames[at] === undefined ? 0 : at;
    this.tip = this.#tipOver(this.at, shared?.tip ?? frames.length - 1);
    if (story.length > 0) this.stories.set(shared?.tip ?? this.tip, story);
  }

  /** Whether nothing can be performed in it. */
  get readOnly(): boolean {
    return this.session === null && this.lesson === null;
  }

  /** The lesson, as long as it is only read; null from the reader's first action on. */
  get reading(): LessonReading | null {
    return this.session === null ? this.lesson : null;
  }

  /** Whether the service can run its steps again: those of any run but of a recording. */
  get replayable(): boolean {
    return this.session !== null || this.shared !== null || this.lesson !== null;
  }

  /**
   * The session in which steps can be performed. That of a lesson begins now, with the frames that
   * were read; null for a stored run.
   */
  async begin(): Promise<string | null> {
    const { reading } = this;
    if (reading === null) return this.session;
    this.#beginning ??= this.#begin(reading).finally(() => (this.#beginning = null));
    return this.#beginning;
  }

  async #begin(reading: LessonReading): Promise<string> {
    const { id } = await reading.begin();
    this.onbegin?.();
    this.session = id;
    return id;
  }

  #readChoices(): Promise<readonly Choice[]> {
    return this.session === null
      ? (this.lesson?.choices(this.at) ?? Promise.resolve([]))
      : this.api.readChoices(this.session, this.at);
  }

  /** What an operator of a real cluster would see in a frame. */
  operatorWords(at: number): Promise<OperatorWords | undefined> {
    if (this.reading !== null) return this.reading.words(at);
    return this.session === null
      ? this.api.readShareOperatorWords(this.shared?.sid ?? "", at)
      : this.api.readOperatorWords(this.session, at);
  }

  /** Compares the shown branch; null for a stored run. */
  async compare(question: Question): Promise<Comparison | null> {
    const other = question.kafka ?? question.scenario_id;
    if (this.reading !== null && other !== undefined) return this.reading.compare(other);
    return this.session === null ? null : this.api.compare(this.session, question);
  }

  /** Whether a request is pending that changes or replays the run. */
  get busy(): boolean {
    return this.#request.busy;
  }

  /** Why the last request failed; null if it did not. */
  get problem(): string | null {
    return this.#request.problem;
  }

  forgetProblem(): void {
    this.#request.error = null;
  }

  /** The places of the errors in the last step; empty if unknown. */
  get places(): readonly Problem[] {
    return this.#request.places;
  }

  /** The choices after the shown frame. */
  get choices(): readonly Choice[] {
    return this.#choices.all;
  }

  /** The last frame of the shown branch. */
  get end(): number | undefined {
    return this.path[this.path.length - 1];
  }

  /** The step of the story that a frame belongs to. */
  stepOf = (frame: number): number => this.frames[frame]?.step ?? 0;

  /** Moves to a frame. Only the choices there are fetched, and only if the playhead rests. */
  goTo(frame: number): void {
    if (this.frames[frame] === undefined) return;
    if (!this.path.includes(frame)) this.tip = this.#tipOver(frame, this.tip);
    this.#moveTo(frame);
    this.#choices.refreshAtRest();
  }

  /** The end of a branch that contains the frame: the open one if it does. */
  #tipOver(frame: number, open: number): number {
    return branchOf(this.branches, frame, open)?.tip ?? frame;
  }

  #moveTo(frame: number): void {
    this.at = frame;
    this.fastPlayhead.moved();
    this.forgetProblem();
  }

  /** Passes a position on the branch without fetching its choices. */
  passTo(index: number): void {
    const frame = this.path[index];
    if (frame !== undefined) this.#moveTo(frame);
  }

  goToIndex(index: number): void {
    const frame = this.path[Math.min(Math.max(index, 0), this.path.length - 1)];
    if (frame !== undefined) this.goTo(frame);
  }

  openBranch(tip: number, frame: number = tip): void {
    this.tip = this.#tipOver(frame, tip);
    this.at = frame;
    this.fastPlayhead.rest();
    this.forgetProblem();
    void this.refreshChoices();
  }

  /** Opens the next branch in the order of the rows, at the same position. */
  nextBranch(): void {
    const here = this.branches.findIndex((branch) => branch.tip === this.branch?.tip);
    const next = this.branches[(here + 1) % this.branches.length];
    if (next === undefined || next.tip === this.branch?.tip) return;
    this.openBranch(next.tip, next.path[Math.min(this.index, next.path.length - 1)]);
  }

  /** Fetches the choices after the shown frame now. */
  refreshChoices(): Promise<void> {
    return this.#choices.refresh();
  }

  /** Waits until the choices after the shown frame are loaded. */
  choicesKnown(): Promise<void> {
    return this.#choices.known();
  }

  /** Performs a choice after the shown frame, once the choices are loaded. */
  async actOn(choose: (choices: readonly Choice[]) => Choice | undefined): Promise<void> {
    const at = this.at;
    await this.choicesKnown();
    const chosen = at === this.at ? choose(this.choices) : undefined;
    if (chosen?.enabled === true) await this.act(chosen.step);
  }

  /**
   * The single gateway for writes: performs a step after the shown frame and moves to its last
   * frame.
   */
  async act(step: Step): Promise<void> {
    if (this.oncopy !== null) return this.#actOnCopy([step]);
    await this.#request.perform(async () => {
      const session = await this.begin();
      if (session === null) return;
      try {
        await this.#take(await this.api.act(session, this.at, step, this.frames.length));
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) void this.refreshChoices();
        throw error;
      }
    });
  }

  /** A run of another owner is read-only: actions are performed in the user's own copy. */
  async #actOnCopy(steps: readonly Step[]): Promise<void> {
    const { session } = this;
    if (session === null) return;
    await this.#request.perform(async () => {
      const made = await this.api.createSession({ session, at: this.end });
      // The copy has only this branch, and its frames are numbered along it.
      let after = this.index;
      let known = made.frames;
      for (const step of steps) {
        const acted = await this.api.act(made.id, after, step, known);
        after = acted.head;
        known = acted.total;
      }
      this.oncopy?.(made.id, after);
    });
  }

  /**
   * Performs steps one after another from a frame, which starts a branch unless that frame is the
   * head.
   */
  async follow(after: number, steps: readonly Step[]): Promise<void> {
    this.goTo(after);
    if (this.oncopy !== null) return this.#actOnCopy(steps);
    for (const step of steps) {
      await this.act(step);
      if (this.problem !== null) return;
    }
  }

  /** Moves to the last new frame, with all frames before it, including those of other clients. */
  async #take(acted: Acted): Promise<void> {
    let frames = withNewFrames(this.frames, acted);
    if (this.session !== null && frames[acted.head] === undefined) {
      // The frames did not fit into one response.
      frames = [...frames, ...(await this.api.readTimeline(this.session, frames.length)).frames];
    }
    this.stories.extend(this.tip, acted.head, acted.story);
    this.frames = frames;
    this.tip = this.#tipOver(acted.head, acted.head);
    this.at = acted.head;
    this.fastPlayhead.rest();
    this.#choices.take(acted.choices);
  }

  /**
   * Fetches frames that were created elsewhere, for example in another tab, without moving the
   * playhead.
   */
  async refresh(): Promise<void> {
    if (this.session === null || this.busy) return;
    try {
      const { frames: total } = await this.api.readSession(this.session);
      if (total <= this.frames.length) return;
      const { frames } = await this.api.readTimeline(this.session, this.frames.length);
      const wasAtTip = this.at === this.tip;
      this.frames = [
        ...this.frames,
        ...frames.filter((frame) => this.frames[frame.frame] === undefined),
      ];
      this.tip = this.#tipOver(this.at, this.tip);
      if (wasAtTip) void this.refreshChoices();
    } catch {
      // This runs in the background: on failure the screen stays, and the next action reports the
      // error.
    }
  }

  /** Fetches the story of a branch, if it is not loaded: of the shown one, unless another is named. */
  loadStory(tip = this.branch?.tip): Promise<void> {
    return this.replayable && tip !== undefined ? this.stories.load(tip) : Promise.resolve();
  }
}
