/** A presentation as sent by the service: the current scene and the audience. */

import { api, listenTo, type Audience, type Scene } from "../service/api";
import { readFrames, type Frame } from "../trace";
import { sceneOf } from "../trace/story";

export interface Shown {
  readonly scene: Scene;
  readonly frame: Frame;
  readonly previous: Frame | null;
}

export class Following {
  shown = $state.raw<Shown | null>(null);
  audience = $state.raw<Audience | null>(null);
  /** The state of the connection: open, reconnecting, or ended. */
  state = $state<"connecting" | "there" | "again" | "ended">("connecting");
  /** The answers given on this page, by question. */
  #answers = $state.raw<Readonly<Record<string, number>>>({});
  readonly #voter = newVoter();
  readonly #stop: () => void;

  constructor(readonly code: string) {
    this.#stop = listenTo(code, "follower", {
      onscene: (scene) => this.#show(scene),
      onaudience: (audience) => (this.audience = audience),
      onstate: (state) => {
        if (this.state !== "ended") this.state = state;
        if (state === "ended" && this.shown === null) void this.#showLast();
      },
    });
  }

  get chosen(): number | null {
    const question = this.shown?.scene.question;
    return question === null || question === undefined
      ? null
      : (this.#answers[question.key] ?? null);
  }

  async choose(choice: number): Promise<void> {
    const question = this.shown?.scene.question;
    if (question === null || question === undefined) return;
    const before = this.#answers;
    this.#answers = { ...before, [question.key]: choice };
    try {
      await api.vote(this.code, { question: question.key, voter: this.#voter, choice });
    } catch {
      // The vote was not accepted, so it is not shown as chosen.
      this.#answers = before;
    }
  }

  leave(): void {
    this.#stop();
  }

  /** For a follower who comes after the end, or comes back. */
  async #showLast(): Promise<void> {
    try {
      const scene = await api.readScene(this.code);
      if (scene.ended) this.#show(scene);
    } catch {
      // There is no such presentation, or none any more.
    }
  }

  #show(scene: Scene): void {
    const frames = readFrames(scene.frames);
    const own = scene.begins ? frames : frames.slice(1);
    const from = frames.length - own.length;
    const stop = {
      step: scene.step,
      from,
      to: frames.length - 1,
      telling: frames.length - 1,
      title: null,
      summary: null,
      marks: [],
    };
    const drawn = own.length > 1 ? sceneOf(frames, stop) : null;
    const frame = drawn?.frame ?? frames[frames.length - 1];
    if (frame !== undefined)
      this.shown = { scene, frame, previous: from > 0 ? (frames[from - 1] ?? null) : null };
    if (scene.ended) {
      this.state = "ended";
      this.leave();
    }
  }
}

/** The step that a frame belongs to, of those that were shown so far. */
export function stepAt({ step_frames }: Pick<Scene, "step_frames">, frame: number): number {
  return Math.max(
    0,
    step_frames.findLastIndex((first) => first <= frame),
  );
}

/** A random number that groups the votes of one page and identifies no person. */
function newVoter(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
