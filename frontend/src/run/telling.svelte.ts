/** What a run's page tells of the place where the playhead stands: a whole step, or one message of it. */

import { inLanguage } from "../language";
import type { Player } from "../session/player.svelte";
import type { Run } from "../session/run.svelte";
import { headlineOf, propertyText, sentence, type Catalogue, type Frame, type Lang } from "../trace";
import { sceneOf } from "../trace/story";
import { authorWords, authorWordsIn, type AuthorWord } from "./author";
import { say } from "./words";

/** Who is told, and where one stands. */
export interface Listener {
  readonly player: () => Player;
  readonly catalogue: () => Catalogue;
  readonly lang: () => Lang;
}

export class Telling {
  /** What each question was answered, by its name; -1 where it was passed over. */
  #answers = $state.raw<Readonly<Record<string, number>>>({});

  readonly stop = $derived.by(() => this.listener.player().stop);
  readonly whole: boolean = $derived.by(() => this.listener.player().whole);
  /** A whole step as one picture, or the message that the playhead stands on. */
  readonly scene = $derived.by(() => (this.whole && this.stop !== undefined && this.stop.to > this.stop.from ? sceneOf(this.run.shown, this.stop) : null));
  readonly frame: Frame | undefined = $derived.by(() => this.scene?.frame ?? this.run.frame);
  readonly previous: Frame | null = $derived.by(() => this.scene?.previous ?? this.run.previous);
  /** What is explained. */
  readonly explained: Frame | undefined = $derived.by(() => (this.whole && this.stop !== undefined ? (this.run.shown[this.stop.telling] ?? this.run.frame) : this.run.frame));
  readonly summary: string | null = $derived.by(() => (this.whole && this.stop !== undefined && this.stop.summary !== null ? inLanguage(this.stop.summary, this.listener.lang()) : null));
  /** How many steps the branch has. */
  readonly steps: number = $derived.by(() => this.run.stops.at(-1)?.step ?? 0);
  readonly position: string = $derived.by(() => {
    const lang = this.listener.lang();
    const stop = this.stop;
    if (stop === undefined || stop.step === 0) return say(lang, "start");
    const step = say(lang, "step", { step: stop.step, steps: this.steps });
    const messages = stop.to - stop.from + 1;
    return this.whole || messages === 1 ? step : `${step}${say(lang, "messageOfStep", { message: this.run.index - stop.from + 1, messages })}`;
  });

  /** The author's words of the branch, by frame. */
  readonly #words = $derived.by(() => {
    const { scenario, frames, path, words } = this.run;
    return authorWordsIn((lang) => authorWords(scenario, frames, path, lang, words.steps));
  });
  readonly author: readonly AuthorWord[] = $derived.by(() => this.authorIn(this.listener.lang()));
  readonly question: AuthorWord | null = $derived(this.author.find((words) => words.kind === "ask") ?? null);
  readonly answered: number | null = $derived(this.question === null ? null : (this.#answers[this.question.key] ?? null));
  /** A question stands there until it is answered and gone on from, or passed over. */
  readonly asking: boolean = $derived(this.question !== null && this.answered !== -1);
  /** What comes next is hidden until the question is answered. */
  readonly veiled: boolean = $derived(this.question !== null && this.answered === null);

  /** Spoken where the playhead rests: what happened, what went wrong, what is asked. */
  readonly announced: string = $derived.by(() => {
    const { frame } = this;
    if (frame === undefined || this.listener.player().passing) return "";
    const lang = this.listener.lang();
    const catalogue = this.listener.catalogue();
    const event = headlineOf(frame);
    const told = this.summary ?? (event === undefined ? "" : sentence(catalogue, event, lang));
    const violated = frame.events.filter((one) => one.kind === "PropertyViolated").map((one) => propertyText(catalogue, String(one.numbers.property), "violated_title", lang));
    const asked = this.question === null ? [] : [say(lang, "asked", { question: this.question.text, count: this.question.answers.length })];
    return [told, ...violated.filter((title, at) => violated.indexOf(title) === at), ...this.author.filter((words) => words.kind === "note").map((words) => words.text), ...asked].join(" ");
  });

  constructor(
    readonly run: Run,
    private readonly listener: Listener,
  ) {}

  /** The author's words of where the playhead stands, in a language. */
  authorIn(lang: Lang): readonly AuthorWord[] {
    const { run, stop } = this;
    const told = this.whole && stop !== undefined ? run.shown.slice(stop.from, stop.to + 1) : run.frame === undefined ? [] : [run.frame];
    return told.flatMap(({ frame: at }) => this.#words(lang).get(at) ?? []);
  }

  /** What is read while the playhead rests here: the pace of playing follows it. */
  said(): string {
    return [this.summary ?? this.announced, ...this.author.map((words) => words.text)].join(" ");
  }

  /** The name of the question that stands here unanswered; null where none does. */
  get waiting(): string | null {
    return this.question === null || this.answered !== null ? null : this.question.key;
  }

  answer(choice: number): void {
    if (this.question !== null) this.#answers = { ...this.#answers, [this.question.key]: choice };
  }

  /** Passes over a question that is not answered. */
  passOver(): void {
    if (this.answered === null) this.answer(-1);
  }
}
