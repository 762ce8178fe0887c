/** The texts for the playhead's position: a whole step, or one of its messages. */

import { inLanguage } from "../language";
import { readProgress } from "../learning/progress";
import { readerSeed } from "../learning/question-order";
import { NUMBERS, spokenQuestion } from "../present/spoken-question";
import type { Player } from "../session/player.svelte";
import type { Run } from "../session/run.svelte";
import {
  headlineOf,
  propertyText,
  sentence,
  type Catalogue,
  type Frame,
  type Lang,
} from "../trace";
import { messageAt, sceneOf, type Stop } from "../trace/story";
import { Held } from "../view/playback/held.svelte";
import { authorWords, authorWordsIn, type AuthorWord } from "./author-words";
import { say } from "languages:run";

/** The reader's language, and the position. */
export interface Listener {
  readonly player: () => Player;
  readonly catalogue: () => Catalogue;
  readonly lang: () => Lang;
}

/** A position in the run, with the data that the page uses. */
interface Place {
  readonly index: number;
  /** The frames of its branch. */
  readonly shown: readonly Frame[];
  readonly stop: Stop | undefined;
  /** Whether its step is shown as a whole. */
  readonly whole: boolean;
  /** The shown moment: a whole step as one picture, or the message at the playhead. */
  readonly frame: Frame | undefined;
  /** The message at the playhead. */
  readonly message: Frame | undefined;
}

export class Narration {
  /** Name of a question → the chosen answer; -1 if it was skipped. */
  #answers = $state.raw<Readonly<Record<string, number>>>({});

  readonly whole: boolean = $derived.by(() => this.listener.player().whole);
  /** A whole step as one picture. */
  readonly #scene = $derived.by(() => {
    const { stop, whole } = this.listener.player();
    return whole && stop !== undefined && stop.to > stop.from
      ? sceneOf(this.run.shown, stop)
      : null;
  });
  readonly frame: Frame | undefined = $derived.by(() => this.#scene?.frame ?? this.run.frame);
  readonly previous: Frame | null = $derived.by(() => this.#scene?.previous ?? this.run.previous);
  /**
   * The position of the playhead; while it moves fast, the last position at which it rested. All
   * texts are about this position.
   */
  readonly #held = new Held<Place>(
    () => this.run.fastPlayhead.parts.words,
    () => this.#here(),
  );
  readonly #read: Place = $derived(this.#held.value);
  readonly stop: Stop | undefined = $derived(this.#read.stop);
  /** The frame that all texts are about. */
  readonly told: Frame | undefined = $derived(this.#read.frame);
  /** The position of the shown message; null for a whole step. */
  readonly here: number | null = $derived(this.#read.whole ? null : this.#read.index);
  /** The explained frame. */
  readonly explained: Frame | undefined = $derived.by(() =>
    this.#read.whole && this.stop !== undefined
      ? (this.#read.shown[this.stop.telling] ?? this.#read.message)
      : this.#read.message,
  );
  readonly summary: string | null = $derived(this.#summaryOf(this.#read));
  readonly position: string = $derived.by(() => {
    const lang = this.listener.lang();
    const stop = this.stop;
    if (stop === undefined || stop.step === 0) return say(lang, "start");
    const step = say(lang, "step", { step: stop.step, steps: this.run.steps });
    const message = messageAt(stop, this.#read.index, this.#read.whole);
    return message === null ? step : `${step}${say(lang, "messageOfStep", { ...message })}`;
  });

  /** The author's texts of the branch, by frame. */
  readonly #words = $derived.by(() => {
    const { scenario, frames, path, words } = this.run;
    const seed = readerSeed();
    return authorWordsIn((lang) => authorWords(scenario, frames, path, lang, words.steps, seed));
  });
  /** The questions of the branch: the position of each, and its name. */
  readonly #questions = $derived.by(() => {
    const words = this.#words(this.listener.lang());
    return this.run.path.flatMap((frame, at) =>
      (words.get(frame) ?? []).flatMap(({ kind, key }) => (kind === "ask" ? [{ at, key }] : [])),
    );
  });
  /** Whether the reader knows how the run ends. Then a question hides only while it is asked. */
  endKnown: boolean = $state(false);
  readonly author: readonly AuthorWord[] = $derived.by(() => this.authorIn(this.listener.lang()));
  readonly question: AuthorWord | null = $derived(questionOf(this.author));
  readonly answered: number | null = $derived(
    this.question === null ? null : (this.#answers[this.question.key] ?? null),
  );
  /** The current question, until it is answered and left, or skipped. */
  readonly asking: boolean = $derived(this.question !== null && this.answered !== -1);
  /** Whether later steps are hidden until the question is answered. */
  readonly veiled: boolean = $derived(this.question !== null && this.answered === null);
  /**
   * The last position of the branch that may be shown: that of the next open question, from which on
   * everything would tell its answer.
   */
  readonly horizon: number = $derived.by(() => {
    const { index, path } = this.run;
    const open = this.#questions.find(
      ({ at, key }) => at >= index && this.#answers[key] === undefined,
    );
    if (open !== undefined && !this.endKnown) return open.at;
    return this.veiled ? index : path.length - 1;
  });

  /** The announcement for screen readers: the events, violations, and question. */
  readonly announced: string = $derived.by(() =>
    this.listener.player().passing ? "" : this.#announcedAt(this.#read, this.author),
  );
  /** The name of that place. */
  readonly place: string = $derived.by(
    () => `${this.#read.message?.frame} ${this.#read.whole} ${this.listener.lang()}`,
  );

  constructor(
    readonly run: Run,
    private readonly listener: Listener,
  ) {
    this.endKnown = readProgress().done.includes(run.scenario.id);
  }

  /** The author's words, in a language. */
  authorIn(lang: Lang): readonly AuthorWord[] {
    return this.#authorAt(this.#read, lang);
  }

  /** The author's notes at a step, in the language of the reader. */
  notesAt({ from, to }: Stop): string {
    const words = this.#words(this.listener.lang());
    return this.run.shown
      .slice(from, to + 1)
      .flatMap(({ frame }) => words.get(frame) ?? [])
      .filter(({ kind }) => kind === "note")
      .map(({ text }) => text)
      .join(" ");
  }

  /** The text at the playhead, which determines the pace of playback. */
  said(): string {
    const here = this.#here();
    const author = this.#authorAt(here, this.listener.lang());
    return [
      this.#summaryOf(here) ?? this.#announcedAt(here, author),
      ...author.map((words) => words.text),
    ].join(" ");
  }

  /** The name of the unanswered question at the playhead; null if there is none. */
  get waiting(): string | null {
    const question = questionOf(this.#authorAt(this.#here(), this.listener.lang()));
    return question === null || this.#answers[question.key] !== undefined ? null : question.key;
  }

  #here(): Place {
    const { stop, whole } = this.listener.player();
    return {
      index: this.run.index,
      shown: this.run.shown,
      stop,
      whole,
      frame: this.frame,
      message: this.run.frame,
    };
  }

  #summaryOf({ whole, stop }: Place): string | null {
    return whole && stop !== undefined && stop.summary !== null
      ? inLanguage(stop.summary, this.listener.lang())
      : null;
  }

  #authorAt({ whole, stop, shown, message }: Place, lang: Lang): readonly AuthorWord[] {
    const told =
      whole && stop !== undefined
        ? shown.slice(stop.from, stop.to + 1)
        : message === undefined
          ? []
          : [message];
    const all = told.flatMap(({ frame: at }) => this.#words(lang).get(at) ?? []);
    // What the author says after a question may give its answer away.
    const asked = all.findIndex(
      (words) => words.kind === "ask" && this.#answers[words.key] === undefined,
    );
    return asked < 0 ? all : all.slice(0, asked + 1);
  }

  #announcedAt(place: Place, author: readonly AuthorWord[]): string {
    const { frame } = place;
    if (frame === undefined) return "";
    const lang = this.listener.lang();
    const catalogue = this.listener.catalogue();
    const event = headlineOf(frame);
    const told =
      this.#summaryOf(place) ?? (event === undefined ? "" : sentence(catalogue, event, lang));
    const violated = frame.events
      .filter((one) => one.kind === "PropertyViolated")
      .map((one) => propertyText(catalogue, String(one.numbers.property), "violated_title", lang));
    const titles = violated.filter((title, at) => violated.indexOf(title) === at);
    const refuted =
      titles.length === 0
        ? []
        : [say(lang, "violatedTitles", { titles: titles.join(say(lang, "titleSeparator")) })];
    const question = questionOf(author);
    const asked = question === null ? [] : [spokenQuestion(question, NUMBERS, lang)];
    return [
      told,
      ...refuted,
      ...author.filter((words) => words.kind === "note").map((words) => words.text),
      ...asked,
    ].join(" ");
  }

  answer(choice: number): void {
    if (this.question !== null) this.#answers = { ...this.#answers, [this.question.key]: choice };
  }

  /** Stops asking, also after the answer. */
  putAway(): void {
    this.answer(-1);
  }

  /** Skips an unanswered question. */
  passOver(): void {
    if (this.answered === null) this.putAway();
  }
}

function questionOf(author: readonly AuthorWord[]): AuthorWord | null {
  return author.find((words) => words.kind === "ask") ?? null;
}
