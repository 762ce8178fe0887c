/** A scenario that is being written: one text, its history, and the service's validation. */

import { ApiError, type DraftPreview, type Problem } from "../service/api";
import { shapeOf, withSteps, type Shape } from "./draft-document";

/** How long (ms) the text must be unchanged before it is validated. */
const REST_MS = 250;
const MOST_UNDONE = 200;
/** The playhead after the last step, also after steps that are added later. */
const END = Infinity;

/** A text with the playhead in it. */
interface Version {
  readonly text: string;
  readonly after: number;
}

interface Service {
  readonly checkDraft: (text: string, after: number) => Promise<DraftPreview>;
}

/** The service's response to a text that was tried: its state, or its errors. */
export type Tried = { readonly preview: DraftPreview } | { readonly problems: readonly Problem[] };

export class Draft {
  text = $state("");
  /** The errors in the text, as reported by the service; empty while none are known. */
  problems = $state.raw<readonly Problem[]>([]);
  /** The number of further errors, which the service does not list. */
  moreProblems = $state(0);
  /** The state of the last valid text, after the first `after` of its steps. */
  preview = $state.raw<DraftPreview | null>(null);
  /** Why the text could not be validated, for example because the service was unreachable. */
  failure = $state<unknown>(null);
  /** The step with an error before which the cluster is shown; null: none. */
  beforeWrong = $state<number | null>(null);
  checking = $state(false);
  /** The values in the form, from the last text that was valid YAML. */
  shape = $state.raw<Shape | null>(null);

  #after = $state(END);
  #past = $state.raw<readonly Version[]>([]);
  #future = $state.raw<readonly Version[]>([]);
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
    return (
      this.problems.length === 0 && !this.checking && this.failure === null && this.preview !== null
    );
  }
  /** The playhead: the number of steps that are performed for the preview. */
  get after(): number {
    return Math.min(this.#after, this.shape?.steps.length ?? 0);
  }
  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  get atEnd(): boolean {
    return this.#after === END;
  }

  /**
   * Sets the text, from the form, the editor or a file, and the playhead in it; without one, it stays
   * where it is. Can be undone.
   */
  write(text: string, after: number = this.#after): void {
    if (text === this.text) return;
    this.#past = [...this.#past, this.#version].slice(-MOST_UNDONE);
    this.#future = [];
    this.#put({ text, after });
  }

  /** Sets the text as if it had been the first. */
  replace(text: string): void {
    if (text === this.text) return;
    this.#past = [];
    this.#future = [];
    this.#put({ text, after: END });
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (before === undefined) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [this.#version, ...this.#future];
    this.#put(before);
  }

  redo(): void {
    const [after] = this.#future;
    if (after === undefined) return;
    this.#future = this.#future.slice(1);
    this.#past = [...this.#past, this.#version];
    this.#put(after);
  }

  /** Sets a text that the service has tried, with its state after the first `after` steps. */
  accept(text: string, after: number, preview: DraftPreview): void {
    this.write(text, after);
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#judge(preview);
    this.checking = false;
  }

  /** Moves the playhead; after the last step, it stays behind steps that are added there. */
  show(after: number): void {
    const before = this.after;
    this.#moveTo(after);
    if (this.after !== before) void this.check();
  }

  /**
   * Asks the service about another text, and the state after its first `after` steps. Changes
   * nothing. Throws if the service cannot be asked.
   */
  async try(text: string, after: number): Promise<Tried> {
    try {
      return { preview: await this.service.checkDraft(text, after) };
    } catch (error) {
      const problems = problemsOf(error);
      if (problems.length === 0) throw error;
      return { problems };
    }
  }

  get #version(): Version {
    return { text: this.text, after: this.#after };
  }

  #moveTo(after: number): void {
    this.#after = after >= (this.shape?.steps.length ?? 0) ? END : after;
  }

  #put({ text, after }: Version): void {
    this.text = text;
    this.shape = shapeOf(text) ?? this.shape;
    this.#moveTo(after);
    this.checking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), REST_MS);
  }

  /** Requests a validation; the response to an earlier text is ignored. */
  async check(): Promise<void> {
    clearTimeout(this.#timer);
    const ticket = (this.#asked += 1);
    this.checking = true;
    try {
      const preview = await this.service.checkDraft(this.text, this.after);
      if (ticket === this.#asked) this.#judge(preview);
    } catch (error) {
      if (ticket !== this.#asked) return;
      this.problems = problemsOf(error);
      this.moreProblems = error instanceof ApiError ? error.moreErrors : 0;
      this.failure = this.problems.length > 0 ? null : error;
    } finally {
      if (ticket === this.#asked) this.checking = false;
    }
    if (ticket === this.#asked) await this.#showBeforeWrongStep(ticket);
  }

  #judge(preview: DraftPreview): void {
    this.preview = preview;
    this.problems = [];
    this.moreProblems = 0;
    this.failure = null;
    this.beforeWrong = null;
  }

  /** If only steps have errors, the state before the first of them can be shown. */
  async #showBeforeWrongStep(ticket: number): Promise<void> {
    this.beforeWrong = null;
    const places = this.problems.map(({ where }) => stepAt(where));
    if (places.length === 0 || places.includes(null)) return;
    const before = Math.min(...places.map(Number));
    const steps = Array.from({ length: before }, (_, place) => place);
    const tried = await this.try(withSteps(this.text, steps), before).catch(() => null);
    if (ticket !== this.#asked || tried === null || !("preview" in tried)) return;
    this.preview = tried.preview;
    this.beforeWrong = before;
  }
}

/** The index of the step that an error is in; null if it is elsewhere. */
export function stepAt(where: string): number | null {
  const found = /^\/steps\/(\d+)(?=\/|$)/.exec(where)?.[1];
  return found === undefined ? null : Number(found);
}

/** The errors in the text, with places in the scenario; empty if the error is a different one. */
function problemsOf(error: unknown): readonly Problem[] {
  const named = error instanceof ApiError ? error.errors : [];
  return named.map((problem) => ({
    ...problem,
    where: problem.where.replace(/^\/scenario_text(?=\/|$)/, ""),
  }));
}
