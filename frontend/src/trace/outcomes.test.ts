import { describe, expect, it } from "vitest";

import type { Frame, Produced, Property } from "./frame";
import { fateOf, standingOf, toneOf } from "./outcomes";

const property = (about: Partial<Property>): Property => ({
  status: "holds",
  first_frame: null,
  evidence: {},
  ...about,
});
const record = (about: Partial<Produced>): Produced =>
  ({ id: "r1", outcome: "acked", lost_frame: null, acked_frame: 3, ...about }) as Produced;
const frame = (lost: Partial<Property> = {}): Pick<Frame, "properties"> => ({
  properties: { NoAckedRecordLost: property(lost) },
});

describe("the fate of a record", () => {
  it("is what the frame says", () => {
    expect(fateOf(frame(), record({ fate: "at_risk", fate_frame: 9 }))).toEqual({
      fate: "at_risk",
      since: 9,
    });
  });

  it("is none before the acknowledgement", () => {
    expect(fateOf(frame(), record({ outcome: "pending" }))).toBeNull();
  });

  it("is read from what was shared before there were fates as it was shown then", () => {
    const records = [{ offset: 1, epoch: 0, value: "m2", id: "r1" }];

    expect(fateOf(frame(), record({}))).toEqual({ fate: "safe", since: null });
    expect(fateOf(frame(), record({ lost_frame: 14 }))).toEqual({ fate: "lost", since: 14 });
    expect(
      fateOf(
        frame({ status: "violated", first_frame: 13, evidence: { records } }),
        record({ lost_frame: 14 }),
      ),
    ).toEqual({ fate: "lost", since: 13 });
  });
});

describe("a property", () => {
  it("is violated now until the frame says since when it is not", () => {
    expect(standingOf(property({ status: "violated", first_frame: 4, until_frame: null }))).toBe(
      "now",
    );
    expect(standingOf(property({ status: "violated", first_frame: 4, until_frame: 6 }))).toBe(
      "past",
    );
    expect(standingOf(property({ status: "violated", first_frame: 4 }))).toBe("now");
    expect(standingOf(property({ status: "not_exercised" }))).toBe("not_exercised");
  });

  it("is red while it is violated, and amber where the run can take it back", () => {
    const now = property({ status: "violated", first_frame: 4, until_frame: null });

    expect(toneOf("NoAckedRecordLost", now)).toBe("bad");
    expect(toneOf("AckedRecordAtRisk", now)).toBe("warn");
    expect(toneOf("AckedRecordAtRisk", property({ first_frame: 4, until_frame: 6 }))).toBe("quiet");
  });
});
