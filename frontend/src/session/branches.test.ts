import { describe, expect, it } from "vitest";

import { childrenOf, holds, listBranches, pathTo, tipFrom, type Node } from "./branches";

/** `0-1-2-3`, and from 1 another way: `4-5`, from 4 yet another: `6`. */
const tree: Node[] = [
  { frame: 0, parent: null, depth: 0 },
  { frame: 1, parent: 0, depth: 1 },
  { frame: 2, parent: 1, depth: 2 },
  { frame: 3, parent: 2, depth: 3 },
  { frame: 4, parent: 1, depth: 2 },
  { frame: 5, parent: 4, depth: 3 },
  { frame: 6, parent: 4, depth: 3 },
];
const nodeOf = (frame: number): Node | undefined => tree[frame];

describe("branches", () => {
  it("are rows: what was there first, then each parting with its first frame", () => {
    expect(listBranches(tree)).toEqual([
      { tip: 3, after: null, first: 0, firstDepth: 0, tipDepth: 3 },
      { tip: 5, after: 1, first: 4, firstDepth: 2, tipDepth: 3 },
      { tip: 6, after: 4, first: 6, firstDepth: 3, tipDepth: 3 },
    ]);
  });

  it("lead where somebody acted last", () => {
    expect(tipFrom(childrenOf(tree), 0)).toBe(6);
    expect(tipFrom(childrenOf(tree), 2)).toBe(3);
  });

  it("have a path from the start", () => {
    expect(pathTo(nodeOf, 6)).toEqual([0, 1, 4, 6]);
  });

  it("hold a frame at its depth or not at all", () => {
    const path = pathTo(nodeOf, 6);

    expect(tree.filter((node) => holds(path, node, 0)).map((node) => node.frame)).toEqual([0, 1, 4, 6]);
  });

  it("stay quick with ten thousand frames and a thousand partings", () => {
    const many: Node[] = Array.from({ length: 10_000 }, (_, frame) => ({ frame, parent: frame === 0 ? null : frame % 10 === 0 ? frame - 5 : frame - 1, depth: frame }));
    const before = performance.now();

    expect(listBranches(many)).toHaveLength(1000);
    expect(performance.now() - before).toBeLessThan(250);
  });
});
