/** A cluster that is being assessed: what was pasted, the settings that the reader changed, and the latest document of the page. */

import { assess, withoutSecrets } from "../service/assessments";
import type {
  AssessmentPage,
  AssessmentQuestion,
  Kind,
  SharedQuestion,
} from "../service/assessments";
import type { PasteMemory } from "./paste-memory";
import { Searching } from "./searching.svelte";

/** The cells of a kind without their verdicts. */
function undecidedCells(cells: Kind["cells"]): Kind["cells"] {
  return Object.fromEntries(
    Object.entries(cells).map(([failure, cell]) => [
      failure,
      { ...cell, verdict: null, undecided: false, reason: {}, steps: null },
    ]),
  ) as unknown as Kind["cells"];
}

/** The same page without a verdict: an old one must not be read as that of changed settings. */
export function undecided(page: AssessmentPage): AssessmentPage {
  return {
    ...page,
    is_complete: false,
    cells_done: 0,
    kinds: page.kinds.map((kind) => ({ ...kind, cells: undecidedCells(kind.cells) })),
  };
}

export class Assessing {
  page = $state.raw<AssessmentPage | null>(null);
  /** The settings that differ from what was pasted. */
  changes = $state.raw<Readonly<Record<string, string>>>({});
  /** The racks that differ from what was pasted, by broker. */
  racks = $state.raw<Readonly<Record<string, string>>>({});
  /** The kind that the reader has selected; null for the worst one. */
  selected = $state<string | null>(null);
  /** Why there is no verdict: the lines that cannot be parsed, or that the service is unreachable. */
  failed = $state.raw<unknown>(null);
  running = $state.raw<AbortController | null>(null);
  /** Whether the reader stopped it before every cell was computed. */
  stopped = $state(false);
  asked = $state.raw<AssessmentQuestion | null>(null);
  /** The complete documents of this cluster, by its changed settings. */
  #decided: Readonly<Record<string, AssessmentPage>> = {};

  /** What is kept for a reload: without the values of secrets; null while it is not known. */
  #kept: AssessmentQuestion | null = null;

  constructor(
    private readonly ask: typeof assess = assess,
    readonly searching = new Searching(),
    private readonly memory: PasteMemory | null = null,
    private readonly hide: typeof withoutSecrets = withoutSecrets,
  ) {}

  /** What the document on the screen answers, with the changed settings. */
  get question(): AssessmentQuestion | null {
    if (this.asked === null) return null;
    return { ...this.asked, settings: this.changes, racks: this.racks };
  }

  /** The same, with the searches that a report and a link contain. */
  get shared(): SharedQuestion | null {
    const { question } = this;
    return question === null ? null : { ...question, searched: this.searching.complete };
  }

  get isChanged(): boolean {
    return Object.keys(this.changes).length + Object.keys(this.racks).length > 0;
  }

  /** Reads another cluster, as pasted. */
  async read(asked: AssessmentQuestion): Promise<void> {
    this.#begin(asked, {});
    await Promise.all([this.#assess(), this.#keep(asked)]);
  }

  /**
   * Follows a cluster to its next state: the changed settings stay, and no old verdict is shown as
   * that of the new state.
   */
  async follow(asked: AssessmentQuestion): Promise<void> {
    this.asked = asked;
    this.#decided = {};
    await this.#assess();
  }

  /** The same state under a newer name: nothing is computed anew. */
  rename(asked: AssessmentQuestion): void {
    this.asked = asked;
  }

  /** Reads what this tab has kept, with the changed settings; does nothing if it has kept nothing. */
  async restore(): Promise<void> {
    const kept = this.memory?.read() ?? null;
    if (kept === null || this.asked !== null) return;
    const { settings, racks, ...asked } = kept;
    this.#begin(asked, settings ?? {});
    this.racks = racks ?? {};
    this.#kept = asked;
    await this.#assess();
  }

  #begin(asked: AssessmentQuestion, changes: Readonly<Record<string, string>>): void {
    this.asked = asked;
    [this.changes, this.racks, this.selected] = [changes, {}, null];
    this.page = null;
    this.#decided = {};
  }

  async #keep(asked: AssessmentQuestion): Promise<void> {
    this.#kept = null;
    this.memory?.write(null);
    if (this.memory === null) return;
    try {
      const kept = await this.hide(asked);
      if (this.asked !== asked) return;
      this.#kept = kept;
      this.memory.write({ ...kept, settings: this.changes, racks: this.racks });
    } catch {
      // Then a reload begins with an empty page.
    }
  }

  /** Changes one setting; its pasted value, or null, takes the change back. */
  async change(name: string, value: string | null): Promise<void> {
    const pasted = this.page?.settings.find((setting) => setting.name === name)?.pasted.join(", ");
    const others = Object.entries(this.changes).filter(([other]) => other !== name);
    const isBack = value === null || value === pasted;
    this.changes = Object.fromEntries(isBack ? others : [...others, [name, value]]);
    await this.#assess();
  }

  /** Changes the racks of brokers; an empty one is unknown. */
  async place(racks: Readonly<Record<string, string>>): Promise<void> {
    const brokers = this.page?.racks ?? [];
    this.racks = Object.fromEntries(
      brokers
        .map(({ broker, rack, pasted }) => ({ broker, pasted, to: racks[broker] ?? rack ?? "" }))
        .filter(({ pasted, to }) => to !== (pasted ?? ""))
        .map(({ broker, to }) => [broker, to]),
    );
    await this.#assess();
  }

  async reset(): Promise<void> {
    [this.changes, this.racks] = [{}, {}];
    await this.#assess();
  }

  /** Searches a partition. */
  async search(partition: string): Promise<void> {
    const { question } = this;
    if (question !== null) await this.searching.search(question, partition);
  }

  /** Ends the computation; the cells that are computed stay. */
  stop(): void {
    if (this.running === null) return;
    this.running.abort();
    this.running = null;
    this.stopped = true;
  }

  async again(): Promise<void> {
    await this.#assess();
  }

  async #assess(): Promise<void> {
    const question = this.question;
    if (question === null) return;
    if (this.#kept !== null)
      this.memory?.write({ ...this.#kept, settings: this.changes, racks: this.racks });
    this.running?.abort();
    const controller = new AbortController();
    [this.running, this.failed, this.stopped] = [controller, null, false];
    this.searching.reset();
    const key = JSON.stringify([question.settings, question.racks]);
    const known = this.#decided[key];
    if (known !== undefined) {
      [this.page, this.running] = [known, null];
      this.#searchFirst(known);
      return;
    }
    if (this.page !== null) this.page = undecided(this.page);
    const isCurrent = (): boolean => this.running === controller;
    try {
      const page = await this.ask(
        question,
        (part) => {
          if (isCurrent()) this.page = part;
        },
        controller.signal,
      );
      if (!isCurrent()) return;
      this.page = page;
      this.#decided = { ...this.#decided, [key]: page };
      this.#searchFirst(page);
    } catch (error) {
      if (isCurrent()) this.failed = error;
    } finally {
      if (isCurrent()) this.running = null;
    }
  }

  /** A search runs by itself: on the selected kind, which is the worst one at first. */
  #searchFirst({ kinds }: AssessmentPage): void {
    const kind = kinds.find(({ id }) => id === this.selected) ?? kinds[0];
    const [partition] = kind?.partitions ?? [];
    if (partition !== undefined) void this.search(partition);
  }
}
