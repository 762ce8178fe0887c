/** The state shared by the parts of a run's page: texts, selection, and open panels. */

import { tick } from "svelte";
import { MediaQuery } from "svelte/reactivity";

import { to } from "../addresses";
import { inLanguage } from "../language";
import type { Choice, SimpleView } from "../service/api";
import { readBranchNames, withBranchName, type BranchNames } from "../session/branch-names";
import type { Branch } from "../session/branches";
import { Player } from "../session/player.svelte";
import type { Run } from "../session/run.svelte";
import type { Catalogue, Lang, Step, StepName } from "../trace";
import { messageAt, type MessagePlace } from "../trace/story";
import { store, stored } from "../service/stored";
import type { Selection } from "../view/stage";
import type Below from "./PanelTabs.svelte";
import { ComparedRun } from "./compared-run.svelte";
import { choiceOn } from "./choices";
import { PageData } from "./page-data.svelte";
import { focusPart, showPart, type SkipTarget } from "./skip-targets";
import { say } from "languages:run";
import { fixedIn } from "./fixed-release";
import { ownFrameOf } from "./other-branches";
import { momentsOf, type RecordMoment } from "./record-moments";
import { addressOfLesson, addressOfRun, type Address, type LessonPlace } from "./address";
import { Narration } from "./narration.svelte";

/** The part of the page in view. */
export interface Reading {
  readonly catalogue: () => Catalogue;
  readonly lang: () => Lang;
  readonly navigate: (path: string) => void;
}

/** A step's form opens with that step filled in, or with a name's defaults; settings at one of them. */
export type OpenDialog =
  | "link"
  | "embed"
  | "find"
  | "help"
  | { readonly step: Step | StepName | null }
  | { readonly setting: string | null };

export interface OpenMenu {
  readonly selection: Selection;
  readonly at: { readonly x: number; readonly y: number };
  /** Restricts the actions to these. */
  readonly only?: readonly Choice[];
}

/** What keys do in the bar of the timeline. */
interface TimelineKeys {
  toMark(direction: 1 | -1): Promise<void>;
  askForStep(): void;
  openTree(): void;
}

const EVERYTHING = "highwater-everything";

export class RunView {
  selection = $state.raw<Selection | null>(null);
  partition = $state<string | null>(null);
  dialog = $state.raw<OpenDialog | null>(null);
  menu = $state.raw<OpenMenu | null>(null);
  /** The item under the pointer in the diagram, highlighted on the stage and the timeline too. */
  pointed = $state.raw<{ readonly index: number; readonly selection: Selection | null } | null>(
    null,
  );
  messagesFull = $state(false);
  presenting = $state(false);
  /** Whether the end of the lesson is shown as a card, in the place of the stage. */
  endCard = $state(false);
  /** Whether everything is shown in a lesson that has a simple view; the browser remembers it. */
  #everything = $state(stored(EVERYTHING) !== null);
  /** What was last said of the view, for screen readers. */
  viewChanged = $state("");
  /** The user's names of the run's branches. */
  names: BranchNames = $state.raw({});
  /** The selected tab in the one-column layout. */
  below = $state.raw<ReturnType<typeof Below> | null | undefined>(null);
  bar = $state.raw<TimelineKeys | null>(null);
  header = $state.raw<{ focusComparisons(): Promise<void> } | null>(null);

  readonly #stacked = new MediaQuery("(max-width: 900px)", false);
  readonly beside: ComparedRun;
  readonly pageData = new PageData();
  readonly narration: Narration;
  readonly player: Player;

  readonly side = $derived.by(() =>
    this.beside.side(this.names, this.reading.catalogue(), this.reading.lang()),
  );
  readonly title: string = $derived.by(() => inLanguage(this.run.words.title, this.reading.lang()));
  /** The author's texts about one version need not be true in another. */
  readonly writtenFor: string | null = $derived.by(() =>
    this.run.scenario.kafka === this.run.kafka ? null : this.run.scenario.kafka,
  );
  /** The message at the playhead, if its step is not shown as a whole or on the way there. */
  readonly message: MessagePlace | null = $derived.by(() =>
    messageAt(this.player.stop, this.run.index, this.player.whole || this.player.passing),
  );
  readonly atEnd: boolean = $derived.by(() => this.run.index === this.run.path.length - 1);
  /** Whether the playhead is at the lesson's last step, not at a step that the reader added. */
  readonly lessonEnded: boolean = $derived.by(
    () => this.run.index > 0 && this.atEnd && (this.run.frame?.item ?? null) !== null,
  );
  /** The moment of the lesson that is shown or, after the reader's own steps, where they left it. */
  readonly lessonPlace: LessonPlace | null = $derived.by(() => {
    const { run } = this;
    const lesson = run.lessonId;
    if (lesson === null) return null;
    const here = run.reading === null ? run.leftLessonAt : run.at;
    return {
      lesson,
      kafka: this.writtenFor === null ? null : run.kafka,
      step: run.stepOf(here),
      message: run.reading === null ? null : this.#messageInAddress,
    };
  });
  /** The address of the shown moment; null for a stored run, whose page stays at its address. */
  readonly address: Address | null = $derived.by(() => {
    const { run, lessonPlace, level } = this;
    if (run.session !== null) return addressOfRun(run.session, run.at, level, lessonPlace);
    return lessonPlace === null ? null : addressOfLesson(lessonPlace);
  });
  /** With the step size of messages, also in a step of one message. */
  readonly #messageInAddress = $derived.by(() => {
    const { stop } = this.player;
    if (this.level === "story" || stop === undefined) return this.message?.message ?? null;
    return stop.step === 0 ? null : this.run.index - stop.from + 1;
  });
  readonly selectedBroker: number | null = $derived.by(() =>
    this.selection?.kind === "broker" || this.selection?.kind === "record"
      ? this.selection.broker
      : null,
  );
  /** Whether the branch shown is the lesson's own, and not one of the reader's. */
  readonly #isOnLesson = $derived.by(() => (this.run.branch?.partsAfter ?? null) === null);
  /** The release that fixed what the lesson has just shown. */
  readonly repaired = $derived.by(() =>
    this.run.readOnly || this.writtenFor !== null || !this.#isOnLesson
      ? null
      : fixedIn(this.run.scenario),
  );
  /** The author's control run for this lesson, if there is one with this name. */
  readonly controlRun = $derived.by(() => {
    const name = this.run.scenario.control_run;
    const lesson =
      name === undefined
        ? undefined
        : this.pageData.lessons.find((one) => one.id === name || one.alias === name);
    return lesson === undefined || this.run.readOnly || !this.#isOnLesson
      ? null
      : { id: lesson.id, title: inLanguage(lesson.title, this.reading.lang()) };
  });

  constructor(
    readonly run: Run,
    readonly reading: Reading,
    /** The name of the recording of a real cluster that the run replays; null for any other run. */
    readonly recording: string | null = null,
  ) {
    if (run.session !== null) this.names = readBranchNames(run.session);
    this.beside = new ComparedRun(run);
    this.narration = new Narration(run, {
      player: () => this.player,
      catalogue: reading.catalogue,
      lang: reading.lang,
    });
    this.player = new Player(run, {
      said: () => this.narration.said(),
      question: () => this.narration.waiting,
      motion: () =>
        typeof matchMedia === "function" && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }

  /**
   * The simple view of the lesson while it is read as it was written; null: everything is shown. A
   * reader who acts has left it, because the author's notes end there.
   */
  get simple(): SimpleView | null {
    const { reading, simple } = this.run;
    const asWritten = reading !== null && this.writtenFor === null && this.side === null;
    return asWritten && !this.#everything ? simple : null;
  }

  /** Whether the lesson has a simple view. */
  get canBeSimple(): boolean {
    return this.run.reading !== null && this.run.simple !== null;
  }

  /** Shows everything, or the simple view again. */
  showEverything(wanted = !this.#everything): void {
    if (!this.canBeSimple) return;
    this.#everything = wanted;
    store(EVERYTHING, wanted ? "1" : null);
    this.viewChanged = say(this.reading.lang(), wanted ? "everythingShown" : "onlyKnown");
    this.player.pause();
    this.player.setLevel("story");
  }

  /**
   * Goes on in the simple view: to the next step, then to the card, then to the next lesson; a held
   * key ends there.
   */
  goOn(leaving = true): void {
    if (this.endsStory && !this.endCard) this.forward("story");
    else if (this.lessonEnded && !this.narration.veiled && this.simple !== null) {
      if (leaving) this.reading.navigate(to(`/lessons/${this.simple.next}`));
    } else if (this.narration.asking && this.narration.answered !== null) this.onward();
    else this.player.forward("story");
  }

  /** Whether the page has one column. */
  get stacked(): boolean {
    return this.#stacked.current;
  }

  /** Whether the stage is hidden by the full-size diagram. */
  get behind(): boolean {
    return this.side === null && this.messagesFull && !this.stacked;
  }

  get level(): "story" | "message" {
    return this.player.level;
  }

  get otherLevel(): "story" | "message" {
    return this.level === "story" ? "message" : "story";
  }

  readonly act = (step: Step): Promise<void> => this.#telling(this.player.act(step));

  /** In the one-column layout, an action from the list below the sentence scrolls back to it. */
  async #telling(acting: Promise<void>): Promise<void> {
    await acting;
    if (!this.stacked || this.run.problem !== null) return;
    await tick();
    showPart("explanation");
  }

  readonly select = (chosen: Selection | null): void => {
    this.selection = chosen;
  };

  /** Follows a link within the page to a message. */
  readonly jump = (to: number): void => {
    this.player.pause();
    this.run.goTo(to);
    this.run.fastPlayhead.rest();
  };

  /** Skips a question, or continues after its answer; at the end, back to the actions. */
  readonly onward = (): void => {
    if (this.atEnd) this.narration.putAway();
    this.narration.passOver();
    this.player.onward();
  };

  openMenu(selection: Selection, at: OpenMenu["at"], only: readonly Choice[] | null = null): void {
    this.selection = selection;
    this.menu = only === null ? { selection, at } : { selection, at, only };
  }

  /** The moments of a record in the shown branch except the present one, up to an open question. */
  momentsOf(id: string): RecordMoment[] {
    const { shown, at } = this.run;
    const told = shown[this.narration.horizon];
    return told === undefined ? [] : momentsOf(id, told).filter(({ frame }) => frame !== at);
  }

  /** Opens the form of a step, with given values or, for a name, with its defaults. */
  async openForm(step: Step | StepName | null): Promise<void> {
    if (this.run.readOnly) return;
    await this.run.choicesKnown();
    if (this.pageData.forms.length > 0) this.dialog = { step };
  }

  closeDialog(): void {
    this.dialog = null;
    this.run.forgetProblem();
  }

  /** Names a branch; an empty name restores the default one. */
  nameBranch(branch: Branch, name: string): void {
    if (this.run.session !== null)
      this.names = withBranchName(this.run.session, this.names, ownFrameOf(branch), name);
  }

  /** Whether this is the end of a lesson as it was written, to which a card belongs. */
  get endsStory(): boolean {
    return (
      this.lessonEnded &&
      this.#isOnLesson &&
      this.side === null &&
      !this.narration.veiled &&
      this.writtenFor === null &&
      this.run.words.summary
    );
  }

  /** Whether the card can be shown: what it says of the lesson has been loaded. */
  get hasEndCard(): boolean {
    return this.endsStory && this.pageData.lesson !== null;
  }

  /** Goes on; after the last step of a lesson, to its card, which appears once it can be shown. */
  forward(level: "story" | "message"): void {
    if (this.endsStory && !this.endCard) {
      this.player.pause();
      this.endCard = true;
    } else this.player.forward(level);
  }

  /** Performs the first possible one of these actions on the selected broker. */
  actOnBroker(names: readonly StepName[]): void {
    const broker = this.selectedBroker;
    if (broker !== null)
      void this.#telling(this.player.actOn((choices) => choiceOn(choices, broker, names)));
  }

  selectBroker(broker: number): void {
    if (this.narration.frame?.state.brokers[String(broker)] === undefined) return;
    this.selection = this.selectedBroker === broker ? null : { kind: "broker", broker };
  }

  /** In a lesson the most relevant action is its next step. */
  actNaturally(): void {
    if (!this.atEnd) this.player.forward();
    else
      void this.#telling(this.player.actOn((choices) => choices.find((choice) => choice.enabled)));
  }

  /** Full size; in the one-column layout, in their tab. */
  showMessages(): void {
    if (this.stacked) this.below?.show("messages");
    else this.messagesFull = !this.messagesFull;
  }

  present(): void {
    this.player.pause();
    this.selection = null;
    this.presenting = true;
  }

  async skipTo(part: SkipTarget): Promise<void> {
    if (part === "actions") this.below?.choose("act");
    await tick();
    focusPart(part);
  }

  async focusFilter(): Promise<void> {
    this.below?.choose("act");
    await tick();
    document.getElementById("choices-filter")?.focus();
  }
}
