import { describe, expect, it } from "vitest";

import type { Stop, StopMark } from "../trace/story";
import { endMoments } from "./end-moments";

function stopsWith(...marks: readonly (readonly StopMark[])[]): Stop[] {
  return marks.map((own, step) => ({
    step,
    from: step,
    to: step,
    telling: step,
    title: null,
    summary: null,
    marks: own,
  }));
}

const numbers = (stops: readonly Stop[]): (number | undefined)[] => {
  const moments = endMoments(stops);
  return [moments?.before.step, moments?.turn?.step, moments?.after.step];
};

describe("the moments of a lesson's card", () => {
  it("are the acknowledgement, the truncation and the loss, not the last step", () => {
    const stops = stopsWith(
      [],
      ["acknowledgement"],
      ["fault", "acknowledgement"],
      ["fault"],
      ["truncation"],
      ["at_risk", "election"],
      ["loss", "truncation"],
      ["isr"],
    );

    expect(numbers(stops)).toEqual([2, 4, 6]);
  });

  it("are the start, what changed and the end if nothing is violated", () => {
    expect(numbers(stopsWith([], ["fault"], ["election"], []))).toEqual([0, 2, 3]);
  });

  it("have no turn if nothing stands out, and are none without steps", () => {
    expect(numbers(stopsWith([], ["acknowledgement"], []))).toEqual([1, undefined, 2]);
    expect(endMoments(stopsWith([]))).toBeNull();
  });
});
