import { afterEach, describe, expect, it } from "vitest";

import type { SearchableFault } from "../service/search";
import type { Frame } from "../trace";
import table from "./decided.json";
import {
  allowedOf,
  askedBy,
  decisionOf,
  machinesOfARack,
  isPossible,
  ownBudget,
  questionOf,
} from "./presets";
import { digestOf } from "./state-digest";

const NAMES: readonly SearchableFault["name"][] = [
  "crash",
  "power_loss",
  "drop",
  "hold",
  "produce",
  "isolate",
  "pause",
  "election",
];
const FAULTS = NAMES.map((name) => ({
  name,
  allowed: name === "election" ? null : name === "crash" ? 2 : 0,
  most: 10,
}));

function withRacks(...racks: (string | null)[]): Frame {
  return {
    state: {
      controller: { kind: "kraft" },
      brokers: Object.fromEntries(racks.map((rack, index) => [String(index + 1), { rack }])),
    },
  } as unknown as Frame;
}

describe("what may go wrong, in words", () => {
  it("includes a power loss only on request", () => {
    const frame = withRacks("a", "a", "b");
    for (const preset of ["crashes", "zombie"] as const) {
      for (const budget of askedBy(preset, frame).budgets)
        expect(budget).not.toHaveProperty("power_loss");
    }
    expect(askedBy("power", frame).budgets[0]).toMatchObject({ power_loss: 1 });
    expect(askedBy("rack", frame).budgets[0]).toMatchObject({ power_loss: 2 });
  });

  describe("what a preset decides", () => {
    const frame = { ...withRacks(null), frame: 0 };
    const limits = {
      grain: "all",
      property: "NoAckedRecordLost",
      max_depth: 40,
      seconds: 20,
    } as const;
    const start = { kafka: "3.9", frame };
    const decided = (changed: Partial<typeof start> = {}, within: object = {}) => {
      const row = { state: digestOf({ kafka: "3.9", rules: {}, state: frame.state }), depth: 9 };
      const rows = [
        { ...row, preset: "crashes", budget: 0, violated: false, states: 1, cpu_seconds: 2 },
        { ...row, preset: "crashes", budget: 1, violated: false, states: 9, cpu_seconds: 4.4 },
        { ...row, preset: "zombie", budget: 0, violated: true, states: 9, cpu_seconds: 0.3 },
      ];
      table.decided.splice(0, table.decided.length, ...rows);
      const about = { ...start, ...changed };
      const asked = { ...limits, ...within };
      return (["crashes", "power", "zombie"] as const).map((one) => decisionOf(one, about, asked));
    };
    const measured = [...table.decided];
    afterEach(() => {
      table.decided.splice(0, table.decided.length, ...measured);
    });

    it("is stated for the state in which it was measured, and for no other one", () => {
      const { budgets } = askedBy("crashes", frame);

      expect(decided()).toEqual([
        { kind: "decided", budget: budgets[1], seconds: 4 },
        null,
        { kind: "found", budget: askedBy("zombie", frame).budgets[0], seconds: 1 },
      ]);
      const nothing = [null, null, null];
      expect(decided({ kafka: "3.8" })).toEqual(nothing);
      expect(decided({ frame: { ...withRacks(null, null), frame: 0 } })).toEqual(nothing);
      const under = { rules: { "KIP-101": false } } as Partial<typeof start>;
      expect(decided(under)).toEqual(nothing);
    });

    it("is stated only if the limits leave room for a slower machine", () => {
      expect(decided({}, { seconds: 12 })[0]).toMatchObject({ seconds: 2 });
      expect(decided({}, { seconds: 5 })[0]).toBeNull();
      expect(decided({}, { seconds: 7, grain: "step" })[0]).toMatchObject({ seconds: 4 });
      for (const other of [{ max_depth: 8 }, { grain: "message" }, { property: "StrongIsr" }])
        expect(decided({}, other)[0]).toBeNull();
    });
  });

  it("offers only what the kind of controller allows", () => {
    const under = (kind: string) => ({ state: { controller: { kind } } }) as unknown as Frame;

    expect(isPossible("hold", under("zookeeper"))).toBe(false);
    expect(isPossible("hold", under("kraft"))).toBe(true);
    expect(isPossible("crash", under("zookeeper"))).toBe(true);
    expect(isPossible("fail_controller", under("zookeeper"))).toBe(true);
    expect(isPossible("fail_controller", under("kraft"))).toBe(false);
  });

  // tests/sim_engine/exploration/test_search.py searches with this request.
  it("lets a zombie leader acknowledge with acks=1", async () => {
    const { acks, budgets } = askedBy("zombie", withRacks(null, null));
    const about = { property: "NoAckedRecordLost", depth: 40, seconds: 20, acks };
    const asked = { ...questionOf(0, about), budget: budgets[0], grain: "exchange" };

    expect(askedBy("crashes", withRacks(null)).acks).toBe("all");
    await expect(`${JSON.stringify(asked, null, 2)}\n`).toMatchFileSnapshot(
      "fixtures/zombie-leader.json",
    );
  });

  it("takes as many machines as the largest rack has", () => {
    expect(machinesOfARack(withRacks("a", "a", "b"))).toBe(2);
    expect(machinesOfARack(withRacks("a", "b", "c"))).toBe(1);
    expect(machinesOfARack(withRacks("a", "a", "a", "a", "a"))).toBe(3);
    expect(machinesOfARack(withRacks(null, null, null))).toBe(2);
    expect(machinesOfARack(withRacks(null))).toBe(1);
  });

  it("sends no limit for a fault without a number", () => {
    const budget = allowedOf({ ...ownBudget(FAULTS), epoch: undefined });

    expect(budget).toMatchObject({ crash: 2, pause: 0 });
    expect(budget).not.toHaveProperty("election");
    expect(budget).not.toHaveProperty("epoch");
  });
});
