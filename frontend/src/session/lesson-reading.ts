/**
 * A lesson that is read under one release. All that reading needs is in files that are the same for
 * every reader; a session begins with the reader's first action.
 */

import type { Api, Choice, Comparison, LessonRun, OperatorWords, Session } from "../service/api";

export class LessonReading {
  #choices: Promise<readonly (readonly Choice[])[]> | null = null;
  #words: Promise<readonly OperatorWords[]> | null = null;

  constructor(
    private readonly api: Api,
    readonly id: string,
    readonly kafka: string,
  ) {}

  /** The choices after a frame. */
  async choices(at: number): Promise<readonly Choice[]> {
    this.#choices ??= this.api
      .readLessonChoices(this.id, this.kafka)
      .catch((error: unknown) => forgetting(error, () => (this.#choices = null)));
    return (await this.#choices)[at] ?? [];
  }

  /** What an operator would see in a frame. */
  async words(at: number): Promise<OperatorWords | undefined> {
    this.#words ??= this.api
      .readLessonWords(this.id, this.kafka)
      .catch((error: unknown) => forgetting(error, () => (this.#words = null)));
    return (await this.#words)[at];
  }

  /** The same lesson under another release. */
  under(kafka: string): Promise<LessonRun> {
    return this.api.readLessonRun(this.id, kafka);
  }

  /** Another lesson under the same release. */
  other(id: string): Promise<LessonRun> {
    return this.api.readLessonRun(id, this.kafka);
  }

  /** Where it diverges from the lesson under another release, or from another lesson. */
  compare(other: string): Promise<Comparison> {
    return this.api.compareLesson(this.id, this.kafka, other);
  }

  /** A session of the lesson. Its frames have the same numbers. */
  begin(): Promise<Session> {
    return this.api.createSession({ scenario_id: this.id, kafka: this.kafka });
  }
}

/** A file that could not be loaded is requested again the next time. */
function forgetting(error: unknown, forget: () => void): never {
  forget();
  throw error;
}
