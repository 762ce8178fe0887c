/** The tree of frames: paths, branches, and their forks. Pure functions. */

import type { Frame } from "../trace";

export interface Branch {
  /** The newest frame of the branch. */
  readonly tip: number;
  /** The frames from the start to the tip. */
  readonly path: readonly number[];
  /** The frame after which it forks from the earlier branch; null for the first branch. */
  readonly partsAfter: number | null;
  /**
   * The index in `path` of its first own frame; earlier frames belong to the branch that it forks
   * from.
   */
  readonly from: number;
}

/** The frames from the start to `frame`, both included. */
export function pathTo(frames: readonly (Frame | undefined)[], frame: number): number[] {
  const path: number[] = [];
  for (let at: number | null = frame; at !== null; at = frames[at]?.parent ?? null) path.push(at);
  return path.reverse();
}

/** Every branch, in order of creation. Frames are indexed by number; there may be gaps. */
export function listBranches(numbered: readonly (Frame | undefined)[]): Branch[] {
  const frames = numbered.filter((frame) => frame !== undefined);
  const hasChild = new Set(frames.map((frame) => frame.parent));
  const tips = frames.filter((frame) => !hasChild.has(frame.frame)).map((frame) => frame.frame);
  const firstChild = new Map<number, number>();
  for (const frame of frames) {
    if (frame.parent !== null && !firstChild.has(frame.parent))
      firstChild.set(frame.parent, frame.frame);
  }
  const branches = tips.map((tip) => {
    const path = pathTo(numbered, tip);
    let partsAfter: number | null = null;
    let from = 0;
    for (let index = path.length - 1; index > 0; index -= 1) {
      const parent = path[index - 1] ?? 0;
      if (firstChild.get(parent) !== path[index]) {
        partsAfter = parent;
        from = index;
        break;
      }
    }
    return { tip, path, partsAfter, from };
  });
  // Sorted by the first own frame, so that a growing branch keeps its position.
  return branches.sort((one, other) => (one.path[one.from] ?? 0) - (other.path[other.from] ?? 0));
}

/**
 * The branch on which a frame is shown: the open one if it contains the frame, otherwise the first
 * that does.
 */
export function branchOf(
  branches: readonly Branch[],
  frame: number,
  open: number,
): Branch | undefined {
  const holds = branches.filter((branch) => branch.path.includes(frame));
  return holds.find((branch) => branch.tip === open) ?? holds[0];
}
