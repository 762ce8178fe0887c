/** The story of each branch, by the branch's tip. */

import type { StoryStep } from "../trace";
import { withToldSteps } from "../trace/story";

interface StoryRead {
  readonly head: number;
  readonly story: readonly StoryStep[];
}

const UNTOLD: readonly StoryStep[] = [];

export class BranchStories {
  #stories = $state.raw<Readonly<Record<number, readonly StoryStep[]>>>({});
  /** The stories that are being loaded, by tip. */
  readonly #asked: Record<number, Promise<void> | undefined> = {};

  constructor(private readonly read: (tip: number) => Promise<StoryRead>) {}

  /** The story of a branch; empty if it is not loaded. */
  of(tip: number): readonly StoryStep[] {
    return this.#stories[tip] ?? UNTOLD;
  }

  isLoaded(tip: number): boolean {
    return this.#stories[tip] !== undefined;
  }

  /** The title of the step that begins with a frame; null if it has none, or its story is not loaded. */
  titleAt(tip: number, frame: number): StoryStep["title"] | null {
    return this.of(tip).find(({ first_frame: first }) => first === frame)?.title ?? null;
  }

  set(tip: number, story: readonly StoryStep[]): void {
    this.#stories = { ...this.#stories, [tip]: story };
  }

  /** Adds the steps of an action on a branch, which now ends at `head`. */
  extend(tip: number, head: number, news: readonly StoryStep[]): void {
    this.set(head, withToldSteps(this.of(tip), news));
  }

  /** Fetches the story of a branch, if it is not loaded. */
  load(tip: number): Promise<void> {
    if (this.isLoaded(tip)) return Promise.resolve();
    const asked = this.#asked[tip] ?? this.#fetch(tip);
    this.#asked[tip] = asked;
    return asked;
  }

  async #fetch(tip: number): Promise<void> {
    try {
      const { head, story } = await this.read(tip);
      this.set(head, story);
    } catch {
      // The steps already have numbers; their texts are loaded with the next attempt.
    } finally {
      this.#asked[tip] = undefined;
    }
  }
}
