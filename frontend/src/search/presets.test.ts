import { describe, expect, it } from "vitest";

import type { SearchableFault } from "../service/search";
import type { Frame } from "../trace";
import table from "./decided.json";
import { allowedOf, askedBy, machinesOfARack, isPossible, ownBudget, questionOf } from "./presets";

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

  it("states the most that was decided in a cluster of the same size", () => {
    for (const preset of ["crashes", "power", "zombie"] as const) {
      for (const brokers of [2, 3]) {
        const { decision, budgets } = askedBy(
          preset,
          withRacks(...Array.from({ length: brokers }, () => null)),
        );
        const rows = table.decided.filter(
          (row) => row.preset === preset && row.control === "kraft" && row.brokers === brokers,
        );
        expect(decision.kind === "cut").toBe(rows.length === 0);
        if (decision.kind === "cut" || decision.kind === "unknown") continue;
        expect(rows.map(({ budget }) => budgets[budget])).toContainEqual(decision.budget);
        expect(decision.kind === "found").toBe(rows.some(({ violated }) => violated));
      }
    }
  });

  it("states nothing of a cluster of a size that was not searched", () => {
    const many = withRacks(...Array.from({ length: 7 }, () => null));

    expect(askedBy("crashes", many).decision).toEqual({ kind: "unknown" });
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
