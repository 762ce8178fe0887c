import { describe, expect, it } from "vitest";

import type { Property } from "./frame";
import { firstExercised, standingOf, toneOf } from "./outcomes";

const property = (about: Partial<Property>): Property => ({
  status: "holds",
  first_frame: null,
  until_frame: null,
  evidence: {},
  ...about,
});

describe("a property", () => {
  it("is violated now until the frame says since when it is not", () => {
    expect(standingOf(property({ status: "violated", first_frame: 4, until_frame: null }))).toBe(
      "now",
    );
    expect(standingOf(property({ status: "violated", first_frame: 4, until_frame: 6 }))).toBe(
      "past",
    );
    expect(standingOf(property({ status: "not_exercised" }))).toBe("not_exercised");
  });

  it("is red while it is violated, and amber where the run can take it back", () => {
    const now = property({ status: "violated", first_frame: 4, until_frame: null });

    expect(toneOf("NoAckedRecordLost", now)).toBe("bad");
    expect(toneOf("AckedRecordAtRisk", now)).toBe("warn");
    expect(toneOf("AckedRecordAtRisk", property({ first_frame: 4, until_frame: 6 }))).toBe("quiet");
  });
});

describe("the frame that first exercised a property", () => {
  const at = (frame: number, status: Property["status"]) => ({
    frame,
    properties: { LogMatching: property({ status }) },
  });
  const branch = [at(0, "not_exercised"), at(4, "holds"), at(7, "violated")];

  it("is the first up to the shown one of which the engine says so", () => {
    expect(firstExercised(branch, { frame: 7 }, "LogMatching")).toBe(4);
    expect(firstExercised(branch, { frame: 4 }, "LogMatching")).toBe(4);
  });

  it("is unknown before, for another property, and on another branch", () => {
    expect(firstExercised(branch, { frame: 0 }, "LogMatching")).toBeNull();
    expect(firstExercised(branch, { frame: 7 }, "ConsistentRead")).toBeNull();
    expect(firstExercised(branch, { frame: 99 }, "LogMatching")).toBeNull();
  });
});
