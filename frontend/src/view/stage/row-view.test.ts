import { describe, expect, it } from "vitest";

import { layoutStage } from "../../layout/stage";
import { stageRequest } from "../../layout/stage-request-fixture";
import type { Frame } from "../../trace";
import { frameAt, loss } from "../../trace/fixtures";
import { gutterText } from "./row-text";
import { rowViews, selectionIn, surroundingsOf } from "./row-view";
import type { Selection } from "./stage-props";

function requestsFor(frame: Frame, selection: Selection | null = null) {
  const layout = layoutStage(stageRequest(frame));
  return layout.rows.map((row) => ({
    row,
    on: surroundingsOf(layout),
    gutter: gutterText(row.broker, {
      frame,
      partition: "t-0",
      lang: "en" as const,
      depthOf: (at) => at,
    }),
    selection: selectionIn(selection, row.broker),
    focused: undefined,
    filesOpen: false,
    hasFiles: true,
    lang: "en" as const,
  }));
}

describe("the views of rows", () => {
  const frame = frameAt(loss, 4);

  it("are the same objects where a frame changes nothing of them", () => {
    const viewsOf = rowViews();
    const before = viewsOf(requestsFor(frame));

    const after = viewsOf(requestsFor(structuredClone(frame)));

    expect(after).toHaveLength(2);
    after.forEach((view, index) => expect(view).toBe(before[index]));
  });

  it("are new for the row of which something is chosen, and in it for that record alone", () => {
    const viewsOf = rowViews();
    const [first, second] = viewsOf(requestsFor(frame));
    const record = second?.row.replica?.log[0];
    if (first === undefined || second === undefined || record === undefined)
      throw new Error("two rows with records are expected");

    const [untouched, changed] = viewsOf(
      requestsFor(frame, {
        kind: "record",
        partition: "t-0",
        broker: second.row.broker,
        offset: record.offset,
        id: record.id,
      }),
    );

    expect(untouched).toBe(first);
    expect(changed).not.toBe(second);
    expect(changed?.cells[0]?.selected).toBe(true);
    expect(changed?.gutter).toBe(second.gutter);
    changed?.cells.slice(1).forEach((cell, index) => expect(cell).toBe(second.cells[index + 1]));
  });
});
