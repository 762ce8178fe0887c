import { describe, expect, it } from "vitest";

import type { Message } from "./frame";
import { messageSteps, selectorOf } from "./message-steps";

function message(id: number, changed: Partial<Message> = {}): Message {
  return { id, kind: "fetch_response", from: 1, to: 2, partition: "t-0", held: false, parked: false, deliverable: true, numbers: {}, ...changed };
}

const OLDEST = { kind: "fetch_response", from: 1, to: 2, partition: "t-0" };

describe("a step on a message", () => {
  it("names the position of the message only if there is an older one like it", () => {
    const others = [message(1, { kind: "fetch_request" }), message(2, { to: 3 }), message(3, { partition: "t-1" }), message(4, { parked: true })];
    const inFlight = [...others, message(5), message(6), message(7, { held: true })];

    expect([5, 6, 7].map((id) => selectorOf(message(id), inFlight))).toEqual([OLDEST, { ...OLDEST, nth: 2 }, { ...OLDEST, nth: 3 }]);
  });

  it("is about the whole metadata log", () => {
    const record = (id: number) => message(id, { kind: "metadata_record", from: "controller" });

    expect(selectorOf(record(2), [record(1), record(2)])).not.toHaveProperty("nth");
  });

  it("is what can be done to it now", () => {
    const second = { ...OLDEST, nth: 2 };

    expect(messageSteps(message(2), [message(1), message(2)])).toEqual([{ deliver: second }, { drop: second }, { hold: second }]);
    expect(messageSteps(message(2, { held: true }), [message(1), message(2)])).toEqual([{ drop: second }, { release: second }]);
  });
});
