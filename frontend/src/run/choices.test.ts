import { describe, expect, it } from "vitest";

import type { Frame, Step } from "../trace";
import { message } from "../trace/fixtures";

import type { Choice } from "../service/api";
import { actionsOn, choiceOn, choicesFor, groupsOf } from "./choices";

/** A choice that ranks alike with all others, at a place on a broker's row. */
function choice(actor: string, step: Step, row: number | null = null, enabled = true): Choice {
  return {
    actor,
    step,
    enabled,
    rank: 0,
    row,
    reason: enabled ? null : "not now",
    reason_code: null,
    reason_numbers: {},
  };
}

const crash = choice("1", { crash: { broker: 1 } }, 7);
const start = choice("1", { start: { broker: 1 } }, 1, false);
const flush = choice("1", { timer: { broker: 1, kind: "flush" } });
const deliver = choice("network", {
  deliver: { kind: "fetch_request", from: 1, to: 2, partition: "t-0" },
});
const cut = choice("network", { cut: { from: 2, to: 1 } });
const produce = choice("p1", { produce: { to: "t-0", as: "p1" } }, 6);
const consume = choice("c1", { consume: { partition: "t-0", as: "c1" } });
const choices = [deliver, produce, start, crash, consume, flush, cut];
const frame = {
  state: { in_flight: [{ id: 7, kind: "fetch_request", from: 1, to: 2, partition: "t-0" }] },
} as unknown as Frame;

function ledBy(broker: string): Frame {
  return {
    state: { ...frame.state, replicas: { "t-0": { [broker]: { role: "leader" } } } },
  } as unknown as Frame;
}

describe("what can happen", () => {
  it("is grouped by actor, with impossible actions last", () => {
    const groups = groupsOf(choices);

    expect(groups.map((group) => [group.kind, group.actor])).toEqual([
      ["network", "network"],
      ["producer", "p1"],
      ["broker", "1"],
      ["consumer", "c1"],
    ]);
    expect(groups[2]?.choices).toEqual([crash, flush, start]);
  });

  it("to a broker is what it does and what is done to it, then to its links", () => {
    const heal = choice("network", { heal: { from: "controller", to: 1 } });
    const elsewhere = choice("network", { cut: { from: 2, to: 3 } });

    expect(
      choicesFor({ kind: "broker", broker: 1 }, [cut, heal, elsewhere, ...choices], ledBy("2")),
    ).toEqual([start, crash, flush, cut, heal, cut]);
  });

  it("to a broker has all actions of its row, also to produce to a partition that it leads", () => {
    const elsewhere = choice("p1", { produce: { to: "t-1", as: "p1" } }, 6);
    const offered = [...choices, elsewhere];
    const broker = { kind: "broker", broker: 1 } as const;

    expect(choicesFor(broker, offered, ledBy("1"))).toEqual([produce, start, crash, flush, cut]);
    expect(actionsOn(broker, offered, ledBy("1"), null)).toEqual([
      { kind: "produce", choices: [produce] },
      { kind: "crash", choices: [crash] },
    ]);
  });

  it("to a record is what writes, copies or reads its partition, and what happens to its broker", () => {
    const elsewhere = choice("1", { fetch: { broker: 1, partition: "t-1" } });
    const record = { kind: "record", partition: "t-0", broker: 1, offset: 3, id: "m1" } as const;

    expect(choicesFor(record, [...choices, elsewhere], ledBy("1"))).toEqual([
      produce,
      start,
      crash,
      consume,
      flush,
    ]);
    expect(choicesFor(record, [...choices, elsewhere], ledBy("2"))).toEqual([
      start,
      crash,
      consume,
      flush,
    ]);
  });

  it("to a client or the controller is what it does", () => {
    expect(choicesFor({ kind: "actor", actor: "p1" }, choices, frame)).toEqual([produce]);
    expect(choicesFor({ kind: "actor", actor: "controller" }, choices, frame)).toEqual([]);
  });

  it("to a message is to deliver it or not", () => {
    expect(choicesFor({ kind: "message", id: 7 }, choices, frame)).toEqual([deliver]);
    expect(choicesFor({ kind: "message", id: 8 }, choices, frame)).toEqual([]);
  });

  it("to one of two messages that are alike is about that one", () => {
    const both = {
      state: { in_flight: [message({ id: 7 }), message({ id: 9 })] },
    } as unknown as Frame;
    const held = {
      state: {
        in_flight: [message({ id: 7, held: true }), message({ id: 9 })],
      },
    } as unknown as Frame;
    const oldest = { kind: "fetch_request", from: 1, to: 2, partition: "t-0" };
    const second = { ...oldest, nth: 2 };
    const steps = (id: number, on: Frame) =>
      choicesFor({ kind: "message", id }, choices, on).map(({ step }) => step);

    expect(steps(7, both)).toEqual([{ deliver: oldest }, { hold: oldest }, { drop: oldest }]);
    expect(steps(9, both)).toEqual([{ deliver: second }, { hold: second }, { drop: second }]);
    // Delivering the oldest without its position would deliver the second one.
    expect(steps(7, held)).toEqual([{ release: oldest }, { drop: oldest }]);
    const waiting = {
      state: {
        in_flight: [message({ id: 7, parked: true }), message({ id: 9 })],
      },
    } as unknown as Frame;
    expect(steps(7, waiting)).toEqual([]);
  });

  it("to the first of two commands is also to skip it", () => {
    const command = message({ id: 7, kind: "leader_and_isr", from: "controller" });
    const both = { state: { in_flight: [command, { ...command, id: 9 }] } } as unknown as Frame;
    const skip = choice("network", {
      deliver: { kind: "leader_and_isr", from: "controller", to: 2, skip: true },
    });
    const names = (id: number) =>
      choicesFor({ kind: "message", id }, [skip], both).map(({ step }) => Object.values(step)[0]);

    expect(names(7)).toEqual([
      expect.not.objectContaining({ nth: 2 }),
      expect.not.objectContaining({ nth: 2 }),
      expect.objectContaining({ skip: true }),
    ]);
    expect(names(9)).toEqual([
      expect.objectContaining({ nth: 2 }),
      expect.objectContaining({ nth: 2 }),
    ]);
  });

  it("to a link concerns both directions", () => {
    expect(choicesFor({ kind: "link", from: 1, to: 2 }, choices, frame)).toEqual([deliver, cut]);
  });

  it("on a broker's row is a few kinds of step, the most natural first", () => {
    const pause = choice("2", { pause: { broker: 2 } }, 9);
    const isolated = ["controller", "brokers"].map((from) =>
      choice("2", { isolate: { broker: 2, from } }, 10),
    );
    const partly = { ...choice("2", { power_loss: { broker: 2 } }, 8), rank: 1 };
    const whole = choice("2", { power_loss: { broker: 2, keep: { "t-0": 1 } } }, 8);
    const offered = [...choices, ...isolated, pause, whole, partly];

    expect(actionsOn({ kind: "broker", broker: 2 }, offered, ledBy("2"), "t-0")).toEqual([
      { kind: "produce", choices: [produce] },
      { kind: "power_loss", choices: [whole] },
      { kind: "pause", choices: [pause] },
      { kind: "isolate", choices: isolated },
    ]);
    expect(
      actionsOn({ kind: "broker", broker: 1 }, offered, ledBy("2"), "t-0").map(
        (action) => action.kind,
      ),
    ).toEqual(["crash"]);
  });

  it("on a client, a link or a message is a few kinds of its possible steps", () => {
    const retry = choice("p1", { retry: { as: "p1" } });
    const elsewhere = choice("p1", { produce: { to: "t-1", as: "p1" } }, 6);
    const weaker = { ...choice("p1", { produce: { to: "t-0", as: "p1", acks: 1 } }, 6), rank: 40 };
    const impossible = choice("p1", { transaction: { as: "p1", do: "begin" } }, null, false);
    const offered = [...choices, retry, weaker, elsewhere, impossible];

    expect(actionsOn({ kind: "actor", actor: "p1" }, offered, frame, "t-0")).toEqual([
      { kind: "produce", choices: [produce] },
      { kind: "retry", choices: [retry] },
    ]);
    expect(
      actionsOn({ kind: "link", from: 2, to: 1 }, offered, frame, "t-0").map((one) => one.choices),
    ).toEqual([[cut], [deliver]]);
    expect(actionsOn({ kind: "message", id: 7 }, offered, frame, "t-0")).toEqual([
      { kind: "deliver", choices: [deliver] },
    ]);
  });

  it("to the controller's link is to restore all links of its broker", () => {
    const heal = choice("1", { heal: { broker: 1 } }, 4);

    expect(choicesFor({ kind: "link", from: "controller", to: 1 }, [heal, cut], frame)).toEqual([
      heal,
    ]);
    expect(choicesFor({ kind: "link", from: 2, to: 1 }, [heal, cut], frame)).toEqual([cut]);
  });

  it("to a timer is to let time pass until it is due, to fire it now, or to let any time pass", () => {
    const flushOf2 = choice("2", { timer: { broker: 2, kind: "flush" } });
    const settle = choice("time", { settle: {} });
    const step: Step = { advance: { ms: 3100 } };
    const stepsOf = (broker: number | null, due: Step) =>
      choicesFor(
        { kind: "timer", timer: "flush", broker, step: due },
        [...choices, flushOf2, settle],
        frame,
      ).map((one) => one.step);

    expect(stepsOf(1, step)).toEqual([step, flush.step, settle.step]);
    expect(stepsOf(null, step)).toEqual([step, flush.step, flushOf2.step, settle.step]);
    // A timer that is due is fired by its own step.
    expect(stepsOf(1, flush.step)).toEqual([flush.step, settle.step]);
  });

  it("to a setting is to change it, for acks with the next request", () => {
    const fewer = choice("controller", { config: { "min.insync.replicas": 1 } });
    const unclean = choice("controller", {
      config: { topic: "t", "unclean.leader.election.enable": true },
    });
    const of = (setting: string) =>
      choicesFor({ kind: "setting", setting }, [...choices, fewer, unclean], frame);

    expect(of("min.insync.replicas")).toEqual([fewer]);
    expect(of("unclean.leader.election.enable")).toEqual([unclean]);
    expect(of("acks")).toEqual([produce]);
  });

  it("by one key is the first of its names that can be done", () => {
    expect(choiceOn(choices, 1, ["start", "crash"])).toBe(crash);
    expect(choiceOn(choices, 2, ["crash"])).toBeUndefined();
  });
});
