import { describe, expect, it } from "vitest";

import { frameAt, repair } from "../trace/fixtures";
import { overlaps } from "./rectangle";
import { layoutStage } from "./stage";
import { stageRequest } from "./stage-request-fixture";
import { LABEL_LINE } from "./text";

describe("the line to the label of a truncation", () => {
  it("crosses no label of an epoch", () => {
    for (const low of [false, true]) {
      for (const cutLabel of [
        "to 3",
        "truncate to 3",
        "epoch 0 ends at 3",
        "a label that is much longer than those of all epochs of this log",
      ]) {
        const layout = layoutStage(
          stageRequest(frameAt(repair, 2), { low, cutLabels: () => [cutLabel, cutLabel] }),
        );
        const { cut } = layout;
        if (cut === null) throw new Error("nothing is cut");
        const stem = {
          x: Math.min(cut.x, cut.stem.toX),
          y: cut.stem.y - 1,
          width: Math.abs(cut.stem.toX - cut.x),
          height: 2,
        };
        const labels = layout.rows.flatMap((row) =>
          row.epochs.map((epoch) => ({
            x: epoch.labelX,
            y: row.epochY + 5 + epoch.line * LABEL_LINE,
            width: epoch.labelEnd - epoch.labelX,
            height: 13,
          })),
        );

        expect(labels.filter((label) => overlaps(stem, label))).toEqual([]);
      }
    }
  });
});
