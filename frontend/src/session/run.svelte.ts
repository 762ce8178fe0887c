/** A run on the screen: its frames, the playhead, and the single gateway for changes. */

import {
  ApiError,
  type Acted,
  type Api,
  type Choice,
  type Problem,
  type ScenarioDocument,
  type Words,
} from "../service/api";
import type { Frame, Step, StoryStep } from "../trace";
import { stopsOf, type Stop } from "../trace/story";
import { BranchStories } from "./branch-stories.svelte";
import { branchOf, listBranches, type Branch } from "./branches";
import { ComparisonRuns } from "./comparison-runs.svelte";
import { ExclusiveRequest } from "./exclusive-request.svelte";
import { FastPlayhead } from "./fast-playhead.svelte";
import { withNewFrames } from "./new-frames";
import { NextChoices } from "./next-choices.svelte";
import { PointsOfNoReturn } from "./points-of-no-return.svelte";
import { tabMemory, type TabMemory } from "./tab-memory";

export class Run {
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
    () =>
      (this.session !== null || this.shared !== null) &&
      !this.stories.isLoaded(this.branch?.tip ?? 0),
  );
  readonly frame: Frame | undefined = $derived(this.frames[this.at]);
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

  readonly fastPlayhead = new FastPlayhead();
  readonly comparisons: ComparisonRuns;
  readonly pointsOfNoReturn: PointsOfNoReturn;
  readonly #request = new ExclusiveRequest();
  readonly #choices: NextChoices;
  readonly stories: BranchStories;

  constructor(
    private readonly api: Api,
    readonly session: string | null,
    readonly kafka: string,
    readonly scenario: ScenarioDocument,
    readonly words: Words,
    frames: Frame[],
    at: number,
    memory: TabMemory = tabMemory,
    story: readonly StoryStep[] = [],
    /** For a share: its id, and the end of the branch on which it opens. */
    readonly shared: { readonly sid: string; readonly tip: number } | null = null,
  ) {
    this.comparisons = new ComparisonRuns(this, api, this.#request, memory);
    this.pointsOfNoReturn = new PointsOfNoReturn(session, memory);
    this.#choices = new NextChoices(
      session === null ? null : () => api.readChoices(session, this.at),
      (error) => (this.#request.error = error),
    );
    this.stories = new BranchStories((tip) =>
      session === null ? api.readShareStory(shared?.sid ?? "", tip) : api.readStory(session, tip),
    );
    this.frames = frames;
    this.at = frames[at] === undefined ? 0 : at;
    this.tip = this.#tipOver(this.at, shared?.tip ?? frames.length - 1);
    if (story.length > 0) this.stories.set(shared?.tip ?? this.tip, story);
  }

  get readOnly(): boolean {
    return this.session === null;
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
    const { session } = this;
    if (session === null) return;
    await this.#request.perform(async () => {
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
    if ((this.session === null && this.shared === null) || tip === undefined)
      return Promise.resolve();
    return this.stories.load(tip);
  }
}
