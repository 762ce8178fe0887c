import { describe, expect, it } from "vitest";

import { render } from "../../language/render-fixture";
import type { Arrow } from "../../layout/diagram-model";
import type { ShownArrow } from "../../layout/diagram-window";
import ItemShape from "./ItemShape.svelte";

/** A column is 100 wide. The run ends with column 2, and messages without an end reach the receiver's lane after it. */
function shapes(given: Partial<Arrow>, index: number) {
  const of: Arrow = {
    id: 1,
    kind: "fetch_request",
    from: 1,
    to: 2,
    partition: null,
    numbers: {},
    offsets: [],
    start: 0,
    end: null,
    fate: "under way",
    heldFrom: null,
    heldTo: null,
    ...given,
  };
  const [from, to] = [
    { x: of.start * 100 + 8, y: 0 },
    { x: (of.end ?? 2.5) * 100, y: 40 },
  ];
  const atEnd = of.end === null ? { x: Math.max(200, from.x), y: 0 } : null;
  const item: ShownArrow = {
    key: "m1",
    shape: "arrow",
    of,
    all: [of],
    column: of.end ?? of.start,
    places: [1, 2],
    tone: "plain",
    label: null,
    from,
    to,
    ending: of.end !== null ? "head" : of.heldFrom !== null ? "ring" : "dot",
    atEnd,
    heldTo: of.heldFrom === null ? null : atEnd,
    ringed: of.heldFrom !== null,
  };
  const ignored = () => undefined;
  const props = {
    item,
    name: "a message",
    meaning: "",
    playhead: index * 100,
    labelled: false,
    index,
    vertical: false,
    inCurrentStep: false,
    tabbable: false,
    selected: false,
    ongo: ignored,
    onpoint: ignored,
    onfocus: ignored,
    onkeydown: ignored,
  };
  const { container } = render(ItemShape, { props });
  const ends = (selector: string) =>
    [...container.querySelectorAll(selector)].map((line) =>
      (line.getAttribute("d")?.match(/[ML][\d.]+/g) ?? []).map((point) => Number(point.slice(1))),
    );
  const mark = container.querySelector("circle");
  return {
    solid: ends(".line:not(.beyond)"),
    dotted: ends(".beyond"),
    mark: [mark?.classList[0], Number(mark?.getAttribute("cx"))],
    heads: container.querySelectorAll(".head").length,
  };
}

describe("a message in flight", () => {
  it("is solid up to the playhead, with a dot there, and dotted beyond", () => {
    expect(shapes({ end: 2, fate: "arrived" }, 1)).toEqual({
      solid: [[8, 100]],
      dotted: [[100, 200]],
      mark: ["under-way", 100],
      heads: 1,
    });
    expect(shapes({}, 1)).toEqual({
      solid: [[8, 100]],
      dotted: [[100, 250]],
      mark: ["under-way", 100],
      heads: 0,
    });
    expect(shapes({}, 2)).toEqual({
      solid: [[8, 200]],
      dotted: [[200, 250]],
      mark: ["under-way", 200],
      heads: 0,
    });
  });

  it("is dotted from its beginning in the frame that sent it", () => {
    expect(shapes({ start: 2 }, 2)).toEqual({
      solid: [[208, 208]],
      dotted: [[208, 250]],
      mark: ["under-way", 208],
      heads: 0,
    });
  });

  it("has a ring at the playhead while it is held", () => {
    expect(shapes({ heldFrom: 1 }, 2)).toEqual({
      solid: [[8, 200]],
      dotted: [[200, 250]],
      mark: ["ring", 200],
      heads: 0,
    });
    expect(shapes({ heldFrom: 2 }, 1).mark).toEqual(["under-way", 100]);
  });
});
