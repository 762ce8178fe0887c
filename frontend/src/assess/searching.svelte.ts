/** The searches of a cluster's partitions, one partition after the other: a search runs by itself on the worst one, and on others when the reader asks. */

import {
  searchPartition,
  stopPartitionSearch,
  type AssessmentQuestion,
  type Searches,
} from "../service/assessments";

export class Searching {
  /** What is known of each partition that was searched, in the order in which they were asked for. */
  found = $state.raw<readonly Searches[]>([]);
  /** The partition that is being searched. */
  partition = $state<string | null>(null);
  /** Why a search could not run, and of which partition. */
  failed = $state.raw<{ readonly partition: string; readonly error: unknown } | null>(null);
  #running: AbortController | null = null;
  /** The id of the running search; null until the service has started it. */
  #started: string | null = null;

  constructor(
    private readonly ask: typeof searchPartition = searchPartition,
    private readonly end: typeof stopPartitionSearch = stopPartitionSearch,
  ) {}

  /** The partitions whose search has ended by itself: a report and a link contain them. */
  get complete(): readonly string[] {
    return this.found
      .filter((one) => one.running === null && !one.is_interrupted)
      .map(({ partition }) => partition);
  }

  isKnown(partition: string): boolean {
    return this.found.some((one) => one.partition === partition && !one.is_interrupted);
  }

  /** Searches a partition instead of the one that is being searched. */
  async search(question: AssessmentQuestion, partition: string): Promise<void> {
    this.#running?.abort();
    const controller = new AbortController();
    this.#running = controller;
    [this.partition, this.failed, this.#started] = [partition, null, null];
    // What was ended before its end has no result.
    this.found = this.found.filter((one) => one.running === null && one.partition !== partition);
    const isCurrent = (): boolean => this.#running === controller;
    const show = (searches: Searches): void => {
      if (!isCurrent()) return;
      this.found = [...this.found.filter((one) => one.partition !== partition), searches];
    };
    try {
      const told = { onstarted: (id: string) => (this.#started = id), onprogress: show };
      show(await this.ask(question, partition, told, controller.signal));
    } catch (error) {
      if (isCurrent()) this.failed = { partition, error };
    } finally {
      if (isCurrent()) [this.#running, this.partition] = [null, null];
    }
  }

  /** Ends the search with what it has examined; without a response to that, without a result. */
  stop(): void {
    const controller = this.#running;
    if (controller === null) return;
    if (this.#started === null) this.#abort();
    else
      this.end(this.#started).catch(() => {
        if (this.#running === controller) this.#abort();
      });
  }

  /** Forgets everything: it is about other settings, or another cluster. */
  reset(): void {
    this.#abort();
    [this.found, this.failed] = [[], null];
  }

  #abort(): void {
    this.#running?.abort();
    [this.#running, this.partition] = [null, null];
    this.found = this.found.filter((one) => one.running === null);
  }
}
