import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";
import { frameAt, loss } from "../trace/fixtures";
import { ALONG, along, layoutDiagramAxis } from "./diagram-axis";
import { beginningFor, beginningWithin, nextBeginning } from "./diagram-beginnings";
import { reader } from "./diagram-fixtures";
import { DiagramModel, SECTION } from "./diagram-model";

const base = frameAt(loss, 0);

/** Steps with so many frames each. */
function diagram(...lengths: number[]) {
  const frames: Frame[] = lengths
    .flatMap((length, step) =>
      Array.from({ length }, () => ({ ...base, moves: [], events: [], step })),
    )
    .map((frame, at) => ({ ...frame, frame: at }));
  const model = new DiagramModel(({ step }) => step, reader).followed(frames);
  return { model, axis: layoutDiagramAxis(model, ALONG) };
}

describe("a window of the diagram", () => {
  it("begins with a step, and has room for the step at the playhead and a part of the next", () => {
    const { model, axis } = diagram(1, 1, 1, 1, 1, 1);
    const [, second = 0, third = 0, fourth = 0] = axis.edges;

    expect(beginningFor(model, axis, [third, fourth], 300)).toBe(second);
    expect(beginningFor(model, axis, [third, fourth], 180)).toBe(third);
    expect(nextBeginning(model, axis, second + 1)).toBe(third);
  });

  it("begins with a section in a step that is too long for it", () => {
    const { model, axis } = diagram(1, SECTION * 4);
    const at = along(axis, SECTION * 3);
    const beginning = beginningWithin(model, axis, at, 600);

    expect(model.sections.map(({ first }) => along(axis, first, -0.5))).toContain(beginning);
    expect(at - beginning).toBeGreaterThan(60);
    expect(at - beginning).toBeLessThan(600);
    // The last window, too.
    expect(model.sections.map(({ first }) => along(axis, first, -0.5))).toContain(
      nextBeginning(model, axis, axis.length - 600),
    );
  });
});

describe("a short step", () => {
  it("is as long as its name, up to a limit", () => {
    const { model } = diagram(1, 1, 1);
    const { edges } = layoutDiagramAxis(model, ALONG, (band) => [20, 150, 400][band] ?? 0);

    expect(edges.slice(1).map((edge, at) => edge - (edges[at] ?? 0))).toEqual([
      ALONG.step,
      150,
      176,
    ]);
  });
});
