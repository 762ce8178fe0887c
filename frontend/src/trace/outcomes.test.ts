import { describe, expect, it } from "vitest";

import type { Property } from "./frame";
import { standingOf, toneOf } from "./outcomes";

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
