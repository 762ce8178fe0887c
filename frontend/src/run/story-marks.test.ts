import { describe, expect, it } from "vitest";

import type { Stop } from "../trace/story";
import { countOf } from "./story-marks";

function stop(about: Pick<Stop, "marks" | "counts">): Stop {
  return { step: 1, from: 0, to: 0, telling: 0, title: null, summary: null, ...about };
}

describe("the count of a mark", () => {
  it("is that of the records lost, not of the steps that lose them", () => {
    expect(
      countOf(
        [
          stop({ marks: ["loss"], counts: { loss: 2 } }),
          stop({ marks: [] }),
          stop({ marks: ["loss"], counts: { loss: 1 } }),
        ],
        "loss",
      ).count,
    ).toBe(3);
  });

  it("may be 0 if a step has the mark", () => {
    expect(countOf([stop({ marks: ["election"], counts: { election: 0 } })], "election")).toEqual({
      mark: "election",
      count: 0,
      present: true,
    });
    expect(countOf([stop({ marks: [] })], "election")).toMatchObject({ count: 0, present: false });
  });
});
