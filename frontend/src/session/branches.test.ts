import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";

import { branchOf, listBranches, pathTo } from "./branches";

function frames(...parents: readonly (number | null)[]): Frame[] {
  return parents.map((parent, frame) => ({ frame, parent }) as Frame);
}

describe("branches", () => {
  it("is one branch where nothing was done twice after a frame", () => {
    expect(listBranches(frames(null, 0, 1))).toEqual([
      { tip: 2, path: [0, 1, 2], partsAfter: null, from: 0 },
    ]);
  });

  it("forks at an action in the past, and keeps the existing frames after it", () => {
    const forked = frames(null, 0, 1, 1, 3);

    expect(listBranches(forked)).toEqual([
      { tip: 2, path: [0, 1, 2], partsAfter: null, from: 0 },
      { tip: 4, path: [0, 1, 3, 4], partsAfter: 1, from: 2 },
    ]);
    expect(pathTo(forked, 4)).toEqual([0, 1, 3, 4]);
  });

  it("shows a frame on the branch that is open, else on the first that holds it", () => {
    const branches = listBranches(frames(null, 0, 1, 1));

    expect(branchOf(branches, 1, 3)?.tip).toBe(3);
    expect(branchOf(branches, 2, 3)?.tip).toBe(2);
  });

  it("leaves out what a shared branch does not hold", () => {
    const shared = frames(null, 0, 0);
    delete shared[1];

    expect(listBranches(shared)).toEqual([{ tip: 2, path: [0, 2], partsAfter: null, from: 0 }]);
  });

  it("keep their order however long each of them grows", () => {
    const grown = frames(null, 0, 1, 1, 3, 2, 5);

    expect(listBranches(grown).map((branch) => [branch.tip, branch.from])).toEqual([
      [6, 0],
      [4, 2],
    ]);
  });
});
