import { describe, expect, it } from "vitest";

import type { Frame, Produced, Property } from "../../trace";
import { catalogue, frameAt, loss } from "../../trace/fixtures";
import { outcomeOf } from "./outcome-text";

const frame = frameAt(loss, -1);
const { NoAckedRecordLost: violated } = frame.properties;
const holds = { status: "holds", first_frame: null, evidence: {} } as unknown as Property;

/** The end of the run with these properties; its second record was acknowledged with acks=1 and is lost. */
function atEnd(properties: Frame["properties"]): Frame {
  const produced = frame.state.clients.produced.map((record): Produced =>
    record.value === "m2" ? { ...record, acks: 1, fate: "lost" } : record,
  );
  return {
    ...frame,
    properties,
    state: { ...frame.state, clients: { ...frame.state.clients, produced } },
  };
}

describe("the outcome of a frame in a line", () => {
  it("is a violation with its records", () => {
    expect(outcomeOf(frame, catalogue, "en")).toEqual({
      tone: "bad",
      text: "An acknowledged record is lost: m2",
    });
  });

  it("never says that nothing is lost when a record is, although Kafka did not promise to keep it", () => {
    expect(outcomeOf(atEnd({ NoAckedRecordLost: holds }), catalogue, "en")).toEqual({
      tone: "bad",
      text: "m2 is lost (acks=1)",
    });
    expect(outcomeOf(atEnd({ NoAckedRecordLost: holds }), catalogue, "zh")).toEqual({
      tone: "bad",
      text: "m2 已丢失（acks=1）",
    });
  });

  it("names a broken promise before a record that was not promised", () => {
    if (violated === undefined) throw new Error("the fixture ends with a loss");
    expect(outcomeOf(atEnd({ NoAckedRecordLost: violated }), catalogue, "en")?.text).toContain(
      "An acknowledged record is lost",
    );
  });

  it("is otherwise that nothing is lost, and nothing at all without properties", () => {
    expect(outcomeOf(frameAt(loss, 8), catalogue, "en")).toEqual({
      tone: "good",
      text: "No acknowledged record is lost",
    });
    expect(outcomeOf({ ...frame, properties: {} }, catalogue, "en")).toBeNull();
  });
});
