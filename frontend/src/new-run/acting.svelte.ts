/**
 * Acting on the stage of a draft: what is done there becomes the next step of the text. The service
 * tries the text first, so that a step that is not possible changes nothing.
 */

import { inLanguage } from "../language";
import { errorMessage, problemMessage, type Problem } from "../service/api";
import type { Lang, Step } from "../trace";
import type { Draft } from "./draft.svelte";
import { afterWritten, withInserted } from "./draft-document";

export class Acting {
  busy = $state(false);
  /** Why the last action was not added. */
  problem = $state.raw<string | null>(null);
  /** The places of the errors in it. */
  places = $state.raw<readonly Problem[]>([]);
  /** The text after the last action. */
  #result = $state<string | null>(null);

  constructor(
    private readonly draft: Draft,
    private readonly lang: () => Lang,
  ) {}

  /** Where the next action is added, among the entries of the text. */
  get place(): number {
    return afterWritten(this.draft.shape?.steps ?? [], this.draft.after);
  }

  get possible(): boolean {
    return this.draft.right && !this.busy;
  }

  /** Whether the step that is shown was added by acting, and nothing has changed since. */
  get added(): boolean {
    return this.#result === this.draft.text;
  }

  readonly act = async (step: Step): Promise<void> => {
    const [entry] = Object.entries(step as Readonly<Record<string, unknown>>);
    if (!this.possible || entry === undefined) return;
    const { draft, place } = this;
    const before = draft.text;
    const [kind, about] = entry;
    const text = withInserted(before, draft.shape?.steps ?? [], place, { kind, about });
    this.busy = true;
    this.forgetProblem();
    try {
      const tried = await draft.try(text, place + 1);
      if (draft.text !== before) return;
      if ("problems" in tried) this.#refuse(tried.problems, place);
      else {
        const refused = tried.preview.impossible.find(({ item }) => item === place);
        if (refused !== undefined) this.problem = inLanguage(refused.reason, this.lang());
        else {
          draft.accept(text, place + 1, tried.preview);
          this.#result = text;
        }
      }
    } catch (error) {
      this.problem = errorMessage(error);
    } finally {
      this.busy = false;
    }
  };

  forgetProblem(): void {
    this.problem = null;
    this.places = [];
  }

  #refuse(problems: readonly Problem[], place: number): void {
    const [first] = problems;
    this.problem = first === undefined ? null : problemMessage(first, this.lang());
    this.places = problems.map((problem) => ({
      ...problem,
      where: problem.where.replace(`/steps/${String(place)}`, "/step"),
    }));
  }
}
