/** A scenario that is being written: one text, its past, and what the service says of it. */

import { ApiError, type DraftPreview, type Problem } from "../service/api";
import { shapeOf, type Shape } from "./draft-document";

/** How long a text rests before it is judged. */
const REST_MS = 250;
const MOST_UNDONE = 200;

interface Service {
  readonly checkDraft: (text: string) => Promise<DraftPreview>;
}

export class Draft {
  text = $state("");
  /** What is wrong with the text, as the service says it; empty while nothing is known to be. */
  problems = $state.raw<readonly Problem[]>([]);
  /** The start of the last text that was right. */
  preview = $state.raw<DraftPreview | null>(null);
  /** Why the text could not be judged: the service was out of reach, say. */
  failure = $state<unknown>(null);
  checking = $state(false);
  /** What the form shows: of the last text that was YAML. */
  shape = $state.raw<Shape | null>(null);

  #past = $state.raw<readonly string[]>([]);
  #future = $state.raw<readonly string[]>([]);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    text: string,
    private readonly service: Service,
  ) {
    this.text = text;
    this.shape = shapeOf(text);
  }

  get right(): boolean {
    return this.problems.length === 0 && !this.checking && this.failure === null && this.preview !== null;
  }
  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Another text, from the form, the editor or a file. Undo leads back. */
  write(text: string): void {
    if (text === this.text) return;
    this.#past = [...this.#past, this.text].slice(-MOST_UNDONE);
    this.#future = [];
    this.#put(text);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (before === undefined) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [this.text, ...this.#future];
    this.#put(before);
  }

  redo(): void {
    const [after] = this.#future;
    if (after === undefined) return;
    this.#future = this.#future.slice(1);
    this.#past = [...this.#past, this.text];
    this.#put(after);
  }

  #put(text: string): void {
    this.text = text;
    this.shape = shapeOf(text) ?? this.shape;
    this.checking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), REST_MS);
  }

  /** Asks what is wrong; an answer to an earlier text is dropped. */
  async check(): Promise<void> {
    clearTimeout(this.#timer);
    const ticket = (this.#asked += 1);
    this.checking = true;
    try {
      const preview = await this.service.checkDraft(this.text);
      if (ticket !== this.#asked) return;
      this.preview = preview;
      this.problems = [];
      this.failure = null;
    } catch (error) {
      if (ticket !== this.#asked) return;
      const named = error instanceof ApiError ? error.errors : [];
      this.problems = named.map((problem) => ({ ...problem, where: problem.where.replace(/^\/scenario_text(?=\/|$)/, "") }));
      this.failure = named.length > 0 ? null : error;
    } finally {
      if (ticket === this.#asked) this.checking = false;
    }
  }
}
