/** What the rooms of a run's page share: what is told, what is chosen, and what is open. */

import { tick, type ComponentProps } from "svelte";
import { MediaQuery } from "svelte/reactivity";

import { inLanguage } from "../language";
import type { Choice } from "../service/api";
import { Player } from "../session/player.svelte";
import type { Run } from "../session/run.svelte";
import type { Catalogue, Lang, Step } from "../trace";
import type { Selection } from "../view/stage";
import { textOf } from "./author";
import type Below from "./Below.svelte";
import { Beside } from "./beside.svelte";
import { choiceOn } from "./choices";
import { Known } from "./known.svelte";
import { partId, type Part } from "./parts";
import { repairedIn } from "./repaired";
import type RunDialogs from "./RunDialogs.svelte";
import { Telling } from "./telling.svelte";
import type TimelineBar from "./TimelineBar.svelte";

/** Where the run is read. */
export interface Reading {
  readonly catalogue: () => Catalogue;
  readonly lang: () => Lang;
  readonly navigate: (path: string) => void;
}

export interface OpenMenu {
  readonly selection: Selection;
  readonly at: { readonly x: number; readonly y: number };
  /** Of all that can be done with it, only these. */
  readonly only?: readonly Choice[];
}

export class RunView {
  selection = $state.raw<Selection | null>(null);
  partition = $state<string | null>(null);
  dialog = $state.raw<ComponentProps<typeof RunDialogs>["open"]>(null);
  menu = $state.raw<OpenMenu | null>(null);
  /** What somebody points at in the diagram: lit on the stage and on the timeline, too. */
  pointed = $state.raw<{ readonly index: number; readonly selection: Selection | null } | null>(null);
  messagesFull = $state(false);
  presenting = $state(false);
  /** Where the page is one column, what stands below the explanation. */
  below = $state.raw<ReturnType<typeof Below> | null | undefined>(null);
  bar = $state.raw<ReturnType<typeof TimelineBar> | null>(null);

  readonly #stacked = new MediaQuery("(max-width: 900px)", false);
  readonly beside: Beside;
  readonly known = new Known();
  readonly telling: Telling;
  readonly player: Player;

  readonly side = $derived.by(() => this.beside.side(this.reading.catalogue(), this.reading.lang()));
  readonly title: string = $derived.by(() => textOf(this.run.words.title, this.reading.lang()));
  /** What the author says of one version need not be so in another. */
  readonly writtenFor: string | null = $derived.by(() => (this.run.scenario.kafka === this.run.kafka ? null : this.run.scenario.kafka));
  readonly atEnd: boolean = $derived.by(() => this.run.index === this.run.path.length - 1);
  /** At the last thing that the lesson does, not at what a reader did after it or instead. */
  readonly lessonEnded: boolean = $derived.by(() => this.run.index > 0 && this.atEnd && (this.run.frame?.item ?? null) !== null);
  readonly selectedBroker: number | null = $derived.by(() => (this.selection?.kind === "broker" || this.selection?.kind === "record" ? this.selection.broker : null));
  /** The release that no longer does what the lesson has just shown. */
  readonly repaired = $derived.by(() => (this.run.readOnly || this.writtenFor !== null ? null : repairedIn(this.run.scenario)));
  /** The lesson that the author sets beside this one, where there is one by that name. */
  readonly controlRun = $derived.by(() => {
    const name = this.run.scenario.control_run;
    const lesson = name === undefined ? undefined : this.known.lessons.find((one) => one.id === name || one.alias === name);
    return lesson === undefined || this.run.readOnly ? null : { id: lesson.id, title: inLanguage(lesson.title, this.reading.lang()) };
  });

  constructor(
    readonly run: Run,
    readonly reading: Reading,
  ) {
    this.beside = new Beside(run);
    this.telling = new Telling(run, { player: () => this.player, catalogue: reading.catalogue, lang: reading.lang });
    this.player = new Player(run, {
      said: () => this.telling.said(),
      question: () => this.telling.waiting,
      motion: () => typeof matchMedia === "function" && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }

  /** The page is one column. */
  get stacked(): boolean {
    return this.#stacked.current;
  }

  /** The stage cannot be seen: the diagram is in its full size. */
  get behind(): boolean {
    return this.side === null && this.messagesFull && !this.stacked;
  }

  get level(): "story" | "message" {
    return this.player.level;
  }

  get otherLevel(): "story" | "message" {
    return this.level === "story" ? "message" : "story";
  }

  readonly act = (step: Step): void => {
    void this.player.act(step);
  };

  readonly select = (chosen: Selection | null): void => {
    this.selection = chosen;
  };

  /** Where a link of the page leads: to that very message. */
  readonly jump = (to: number): void => {
    this.player.pause();
    this.run.goTo(to);
  };

  /** Passes over a question, or goes on from its answer. */
  readonly onward = (): void => {
    this.telling.passOver();
    this.player.forward();
  };

  openMenu(selection: Selection, at: OpenMenu["at"], only: readonly Choice[] | null = null): void {
    this.selection = selection;
    this.menu = only === null ? { selection, at } : { selection, at, only };
  }

  /** The form of a step: with what it was given elsewhere, or, by its name, with the common case. */
  async openForm(step: Step | string | null): Promise<void> {
    if (this.run.readOnly) return;
    await this.run.choicesKnown();
    if (this.known.forms.length > 0) this.dialog = { step };
  }

  closeDialog(): void {
    this.dialog = null;
    this.run.problem = null;
  }

  /** What a key does to the selected broker: the first of these actions that is possible. */
  actOnBroker(names: readonly string[]): void {
    const broker = this.selectedBroker;
    if (broker !== null) void this.player.actOn((choices) => choiceOn(choices, broker, names));
  }

  selectBroker(broker: number): void {
    if (this.telling.frame?.state.brokers[String(broker)] === undefined) return;
    this.selection = this.selectedBroker === broker ? null : { kind: "broker", broker };
  }

  /** In a lesson what comes most naturally is its next step. */
  actNaturally(): void {
    if (!this.atEnd) this.player.forward();
    else void this.player.actOn((choices) => choices.find((choice) => choice.enabled));
  }

  /** In the full size; where the page is one column, in their place. */
  showMessages(): void {
    if (this.stacked) this.below?.choose("messages");
    else this.messagesFull = !this.messagesFull;
  }

  present(): void {
    this.player.pause();
    this.selection = null;
    this.presenting = true;
  }

  async skipTo(part: Part): Promise<void> {
    if (part === "actions") this.below?.choose("act");
    await tick();
    const there = document.getElementById(partId(part));
    there?.focus();
    there?.scrollIntoView({ block: "nearest" });
  }

  async focusFilter(): Promise<void> {
    this.below?.choose("act");
    await tick();
    document.getElementById("choices-filter")?.focus();
  }
}
