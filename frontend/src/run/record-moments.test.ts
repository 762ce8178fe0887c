import { describe, expect, it } from "vitest";

import type { Frame, Produced } from "../trace";
import { momentsOf } from "./record-moments";

const sent = {
  id: "r1",
  value: "m2",
  frame: 2,
  outcome: "acked",
  acked_frame: 5,
  lost_frame: null,
  fate: "safe",
  fate_frame: 5,
} as Produced;

function after(about: Partial<Produced>): Pick<Frame, "properties" | "state"> {
  return {
    properties: {},
    state: { clients: { produced: [{ ...sent, ...about }] } },
  } as unknown as Frame;
}

describe("the moments of a record", () => {
  it("are when it was sent and acknowledged, while it is safe", () => {
    expect(momentsOf("r1", after({}))).toEqual([
      { what: "recordSent", value: "m2", frame: 2 },
      { what: "recordAcked", value: "m2", frame: 5 },
    ]);
  });

  it("end with its loss, and with its last copy if that is a moment of its own", () => {
    const lost = { fate: "lost", fate_frame: 9 } as const;

    expect(
      momentsOf("r1", after({ ...lost, lost_frame: 9 })).map(({ what, frame }) => [what, frame]),
    ).toEqual([
      ["recordSent", 2],
      ["recordAcked", 5],
      ["recordLost", 9],
    ]);
    expect(
      momentsOf("r1", after({ ...lost, lost_frame: 12 }))
        .slice(2)
        .map(({ what, frame }) => [what, frame]),
    ).toEqual([
      ["recordLost", 9],
      ["recordGone", 12],
    ]);
  });

  it("are those of a record that disappears without an acknowledgement", () => {
    expect(
      momentsOf(
        "r1",
        after({
          outcome: "pending",
          acked_frame: null,
          fate: null,
          fate_frame: null,
          lost_frame: 7,
        }),
      ).map(({ what }) => what),
    ).toEqual(["recordSent", "recordGone"]);
  });

  it("say that it is at risk", () => {
    expect(
      momentsOf("r1", after({ fate: "at_risk", fate_frame: 8 })).map(({ what, frame }) => [
        what,
        frame,
      ])[2],
    ).toEqual(["recordAtRisk", 8]);
  });

  it("are none for a record that no producer sent in the run", () => {
    expect(momentsOf("r9", after({}))).toEqual([]);
  });
});
