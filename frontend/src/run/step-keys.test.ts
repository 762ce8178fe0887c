import { describe, expect, it } from "vitest";

import type { Choice } from "../service/api";
import type { Step } from "../trace";
import { keyOf } from "./step-keys";

function choice(step: Step, enabled = true): Choice {
  return {
    actor: "1",
    step,
    enabled,
    rank: 0,
    row: 1,
    reason: null,
    reason_code: null,
    reason_numbers: {},
  };
}

const crash = choice({ crash: { broker: 2 } });
const heal = choice({ heal: { broker: 2 } });
const isolate = ["controller", "brokers"].map((from) => choice({ isolate: { broker: 2, from } }));
const produce = ["t-0", "t-1"].map((to) => choice({ produce: { to, as: "p1" } }));

describe("the key of a button", () => {
  it("is on the step that it performs, not on the one that it performs at other times", () => {
    expect(keyOf(isolate, [crash, ...isolate], 2)).toBe("X");
    expect(keyOf(isolate, [crash, heal, ...isolate], 2)).toBeNull();
    expect(keyOf([heal], [crash, heal, ...isolate], 2)).toBe("X");
    expect(keyOf([crash], [crash, heal, ...isolate], 2)).toBe("K");
  });

  it("is on the actions of the selected broker, on which it acts", () => {
    expect(keyOf([crash], [crash], 1)).toBeNull();
    expect(keyOf([crash], [crash], null)).toBeNull();
  });

  it("is for producing on the button for the same partition, whatever is selected", () => {
    expect(produce.map((one) => keyOf([one], [crash, ...produce], null))).toEqual(["P", null]);
  });
});
