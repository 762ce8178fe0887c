/**
 * The tree of frames as a timeline shows it: the branch that is open, and the rows of the others where they part.
 * Plain data in, plain data out; every function walks what it is given once, so that ten thousand frames stay quick.
 */

export interface Node {
  readonly frame: number;
  readonly parent: number | null;
  readonly depth: number;
}

/** One row: frames of their own, after a frame that they share with a row above. */
export interface Branch {
  readonly tip: number;
  /** The frame after which it parts from the row that was there before; null for the row that holds the start. */
  readonly after: number | null;
  /** Its first frame of its own. */
  readonly first: number;
  readonly firstDepth: number;
  readonly tipDepth: number;
}

export type Children = ReadonlyMap<number, readonly number[]>;

/** Frames by parent, older ones first. */
export function childrenOf(frames: Iterable<Node>): Children {
  const children = new Map<number, number[]>();
  for (const { frame, parent } of frames) {
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [frame]);
    else siblings.push(frame);
  }
  for (const siblings of children.values()) siblings.sort((one, other) => one - other);
  return children;
}

/** From the start to `frame`, both included; as far back as frames are known. */
export function pathTo(nodeOf: (frame: number) => Node | undefined, frame: number): number[] {
  const path: number[] = [];
  for (let node = nodeOf(frame); node !== undefined; node = node.parent === null ? undefined : nodeOf(node.parent)) {
    path.push(node.frame);
  }
  return path.reverse();
}

/** Where the branch through `frame` leads: the newest child at each parting, which is where somebody acted last. */
export function tipFrom(children: Children, frame: number): number {
  let tip = frame;
  for (let next = children.get(tip)?.at(-1); next !== undefined; next = children.get(tip)?.at(-1)) tip = next;
  return tip;
}

/** Whether `path` holds the frame: a frame stands at its depth or nowhere. `start` is the depth of the path's first frame. */
export function holds(path: readonly number[], node: Node, start: number): boolean {
  return path[node.depth - start] === node.frame;
}

/** Every row, the one that was there first at the top, then by where they part and by age. */
export function listBranches(frames: readonly Node[]): Branch[] {
  const byNumber = new Map(frames.map((node) => [node.frame, node]));
  const children = childrenOf(frames);
  const roots = frames.filter(({ parent }) => parent === null || !byNumber.has(parent));
  const open: { readonly first: number; readonly after: number | null }[] = roots.map(({ frame }) => ({ first: frame, after: null }));
  const branches: Branch[] = [];
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    let tip = row.first;
    for (;;) {
      const [eldest, ...younger] = children.get(tip) ?? [];
      if (eldest === undefined) break;
      for (const first of younger) open.push({ first, after: tip });
      tip = eldest;
    }
    branches.push({
      tip,
      after: row.after,
      first: row.first,
      firstDepth: byNumber.get(row.first)?.depth ?? 0,
      tipDepth: byNumber.get(tip)?.depth ?? 0,
    });
  }
  return branches.sort((one, other) => Number(one.after !== null) - Number(other.after !== null) || one.first - other.first);
}
