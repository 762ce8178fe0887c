/**
 * The points of no return on all branches of a run: the frames after which a search found no way to
 * keep records that are lost later. They last for the life of the tab.
 */

import type { TabMemory } from "./tab-memory";

export class PointsOfNoReturn {
  #frames = $state.raw<readonly number[]>([]);

  constructor(
    private readonly session: () => string | null,
    private readonly memory: TabMemory,
  ) {
    const own = session();
    if (own !== null) this.#frames = memory.read(keyOf(own)).map(Number);
  }

  /** The first one on a path; null if none is known. */
  firstOn(path: readonly number[]): number | null {
    return path.find((frame) => this.#frames.includes(frame)) ?? null;
  }

  mark(frame: number | undefined): void {
    if (frame === undefined || this.#frames.includes(frame)) return;
    this.#frames = [...this.#frames, frame];
    const own = this.session();
    if (own !== null) this.memory.write(keyOf(own), this.#frames.map(String));
  }
}

function keyOf(session: string): string {
  return `no-return-${session}`;
}
