import { describe, expect, it } from "vitest";

import type { Choice, StepForm } from "../service/api";
import { frameAt, loss } from "../trace/fixtures";
import {
  byWaiting,
  changedArguments,
  commonCase,
  fill,
  messageInForm,
  stepFrom,
  wrongFields,
} from "./fields";

const frame = frameAt(loss, 0);
const looking = { partition: "t-0", broker: null };

function argument(name: string, kind: string, more: object = {}): StepForm["arguments"][number] {
  return {
    name,
    kind,
    required: false,
    nullable: false,
    default: null,
    choices: [],
    minimum: null,
    maximum: null,
    ...more,
  } as StepForm["arguments"][number];
}

const produce: StepForm = {
  name: "produce",
  arguments: [
    argument("to", "partition", { required: true }),
    argument("values", "values", { required: true }),
    argument("acks", "acks", { default: "all", choices: ["all", 0, 1] }),
    argument("idempotent", "switch", { default: false }),
    argument("timeout_ms", "number"),
  ],
};
const power: StepForm = {
  name: "power_loss",
  arguments: [argument("broker", "broker", { required: true }), argument("keep", "kept")],
};

const reassign: StepForm = {
  name: "reassign",
  arguments: [
    argument("partition", "partition", { required: true }),
    argument("replicas", "replicas", { required: true, nullable: true }),
  ],
};

function offered(step: Choice["step"], enabled = true): Choice {
  return {
    step,
    actor: "p1",
    enabled,
    rank: 0,
    row: null,
    reason: null,
    reason_code: null,
    reason_numbers: {},
  };
}

describe("the form of a step", () => {
  it("starts with what the engine offers for the partition that is shown", () => {
    const choices = [
      offered({ produce: { to: "u-0", values: ["u1"] } }),
      offered({ produce: { to: "t-0", values: ["m4"], acks: 1 } }),
    ];

    expect(commonCase(produce, choices, frame, looking)).toEqual({
      to: "t-0",
      values: "m4",
      acks: "1",
      idempotent: "",
      timeout_ms: "",
    });
  });

  it("has the kinds of messages that are waiting before the other ones", () => {
    const waiting = {
      ...frame,
      state: {
        ...frame.state,
        in_flight: [{ kind: "fetch_response" }, { kind: "fetch_response" }],
      },
    } as unknown as typeof frame;

    expect(byWaiting(["fetch_request", "fetch_response", "leader_and_isr"], waiting)).toEqual([
      ["fetch_response"],
      ["fetch_request", "leader_and_isr"],
    ]);
  });

  it("says only what differs from what is so anyhow", () => {
    const filled = { ...commonCase(produce, [], frame, looking), values: "m4" };

    expect(stepFrom(produce, filled, null)).toEqual({ produce: { to: "t-0", values: ["m4"] } });
    expect(
      stepFrom(produce, { ...filled, acks: "0", idempotent: "true", timeout_ms: "50" }, null),
    ).toEqual({
      produce: { to: "t-0", values: ["m4"], acks: 0, idempotent: true, timeout_ms: 50 },
    });
  });

  it("cancels a reassignment with an empty list of replicas", () => {
    expect(stepFrom(reassign, { partition: "t-0", replicas: "3, 4" }, null)).toEqual({
      reassign: { partition: "t-0", replicas: [3, 4] },
    });
    expect(stepFrom(reassign, { partition: "t-0", replicas: " " }, null)).toEqual({
      reassign: { partition: "t-0", replicas: null },
    });
    expect(fill(reassign, { partition: "t-0", replicas: null }, frame, looking).replicas).toBe("");
  });

  it("sends what is no number as it is written, for the service to say what is wrong", () => {
    expect(stepFrom(produce, { to: "t-0", values: "m4", timeout_ms: "soon" }, null)).toMatchObject({
      produce: { timeout_ms: "soon" },
    });
  });

  it("keeps of each partition what is written beside it", () => {
    const filled = fill(power, { broker: 2, keep: { "t-0": 1 } }, frame, looking);

    expect(filled["keep/t-0"]).toBe("1");
    expect(stepFrom(power, filled, null)).toEqual({
      power_loss: { broker: 2, keep: { "t-0": 1 } },
    });
    expect(stepFrom(power, { ...filled, "keep/t-0": "" }, null)).toEqual({
      power_loss: { broker: 2 },
    });
  });

  it("puts what the service finds wrong at its field", () => {
    expect(
      wrongFields(
        produce,
        [
          { where: "/step/produce/values/0", message: "too long" },
          { where: "/after", message: "gone" },
        ],
        "en",
      ),
    ).toEqual({ values: "too long", "": "gone" });
    const about = (where: string, en: string, zh: string): Parameters<typeof messageInForm>[1] => ({
      where,
      message: en,
      said: { en, zh },
    });
    const late = about(
      "/steps/0/produce/timeout_ms",
      "timeout_ms must be from 1 to 9, not 0; request.timeout_ms",
      "“timeout_ms”必须在 1 到 9 之间，不能是 0",
    );
    const lacking = about("/step/produce", "produce needs values", "“produce”缺少 to 和 values");
    const unknown = about("/step/produce/max", "there is no key max; keys are to", "没有键");

    expect(messageInForm(produce, late, "en")).toBe(
      "timeout (ms) must be from 1 to 9, not 0; request.timeout_ms",
    );
    expect(messageInForm(produce, late, "zh")).toBe("“超时（ms）”必须在 1 到 9 之间，不能是 0");
    expect(messageInForm(produce, lacking, "en")).toBe("“Produce records” needs values");
    expect(messageInForm(produce, lacking, "zh")).toBe("“写入消息”缺少 目标 和 值");
    expect(messageInForm(produce, unknown, "en")).toBe("there is no key max; keys are to");
    expect(messageInForm(undefined, late, "en")).toBe(late.message);
    expect(
      wrongFields(power, [{ where: "/step/power_loss/keep/t-0", message: "too much" }], "en"),
    ).toEqual({ "keep/t-0": "too much" });
  });
});

describe("editing a step", () => {
  it("gives the arguments that were changed, and leaves a written default alone", () => {
    const given = { to: "t-0", values: ["m2"], acks: "all" };
    const before = fill(produce, given, frame, looking);

    expect(changedArguments(produce, given, before, before, null)).toEqual({});
    expect(changedArguments(produce, given, before, { ...before, values: "m3" }, null)).toEqual({
      values: ["m3"],
    });
    expect(changedArguments(produce, given, before, before, "3")).toEqual({
      values: ["m2", "m3", "m4"],
    });
    expect(
      changedArguments(
        produce,
        { ...given, acks: 1 },
        fill(produce, { ...given, acks: 1 }, frame, looking),
        before,
        null,
      ),
    ).toEqual({ acks: undefined });
  });
});
