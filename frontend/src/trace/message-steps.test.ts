import { describe, expect, it } from "vitest";

import { message as anyMessage } from "./fixtures";
import type { Message } from "./frame";
import { hasOthersLikeIt, messageSteps, messageStepsAmong } from "./message-steps";

function message(id: number, changed: Partial<Message> = {}): Message {
  return anyMessage({ id, kind: "fetch_response", ...changed });
}

const OLDEST = { kind: "fetch_response", from: 1, to: 2, partition: "t-0" };

describe("a step on a message", () => {
  it("names the position of the message only if there is an older one like it", () => {
    const others = [
      message(1, { kind: "fetch_request" }),
      message(2, { to: 3 }),
      message(3, { partition: "t-1" }),
      message(4, { parked: true }),
    ];
    const inFlight = [...others, message(5), message(6), message(7, { held: true })];

    expect([5, 6, 7].map((id) => messageSteps(message(id), inFlight).drop)).toEqual(
      [OLDEST, { ...OLDEST, nth: 2 }, { ...OLDEST, nth: 3 }].map((drop) => ({ drop })),
    );
  });

  it("counts all partitions for a command about several, because it names none", () => {
    const command = (id: number, partition: string | null) =>
      message(id, { kind: "leader_and_isr", from: "controller", partition });
    const inFlight = [command(1, "t-0"), command(2, null), command(3, "t-0")];

    expect(
      [1, 2, 3].map((id) => messageSteps(inFlight[id - 1] ?? message(id), inFlight).hold),
    ).toEqual([
      { hold: { kind: "leader_and_isr", from: "controller", to: 2, partition: "t-0" } },
      { hold: { kind: "leader_and_isr", from: "controller", to: 2, nth: 2 } },
      { hold: { kind: "leader_and_isr", from: "controller", to: 2, partition: "t-0", nth: 2 } },
    ]);
  });

  it("knows whether its position matters", () => {
    expect(hasOthersLikeIt(message(1), [message(1), message(2)])).toBe(true);
    expect(
      hasOthersLikeIt(message(1), [
        message(1),
        message(2, { partition: "t-1" }),
        message(3, { parked: true }),
      ]),
    ).toBe(false);
  });

  it("is one of the few that are possible, and on the oldest of several messages that are alike", () => {
    const deliver = { deliver: OLDEST };
    const elsewhere = { drop: { ...OLDEST, to: 3 } };
    const wholeLink = { drop: { kind: "fetch_response", from: 1, to: 2 } };
    const inFlight = [message(1, { parked: true }), message(2), message(3)];

    expect(
      messageStepsAmong([deliver, elsewhere, { crash: { broker: 2 } }], message(2), inFlight),
    ).toEqual({ deliver });
    expect(messageStepsAmong([deliver, wholeLink], message(2), inFlight)).toEqual({
      deliver,
      drop: wholeLink,
    });
    expect(messageStepsAmong([deliver, wholeLink], message(3), inFlight)).toEqual({});
  });

  it("is about the whole metadata log", () => {
    const record = (id: number) => message(id, { kind: "metadata_record", from: "controller" });

    expect(messageSteps(record(2), [record(1), record(2)]).hold).toEqual({
      hold: { kind: "metadata_record", from: "controller", to: 2, partition: "t-0" },
    });
    expect(hasOthersLikeIt(record(2), [record(1), record(2)])).toBe(false);
  });

  it("is what can be done to it now", () => {
    const second = { ...OLDEST, nth: 2 };

    expect(messageSteps(message(2), [message(1), message(2)])).toEqual({
      deliver: { deliver: second },
      hold: { hold: second },
      drop: { drop: second },
    });
    expect(messageSteps(message(2, { held: true }), [message(1), message(2)])).toEqual({
      release: { release: second },
      drop: { drop: second },
    });
    expect(
      messageSteps(message(1, { kind: "leader_and_isr", from: "controller" }), []),
    ).not.toHaveProperty("drop");
    expect(messageSteps(message(1, { parked: true }), [])).toEqual({});
  });
});
