import { describe, expect, it } from "vitest";

import type { SearchableFault } from "../service/search";
import type { Frame } from "../trace";
import { acksOf, budgetOf, machinesOfARack, isPossible, ownBudget, questionOf } from "./presets";

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
      brokers: Object.fromEntries(racks.map((rack, index) => [String(index + 1), { rack }])),
    },
  } as unknown as Frame;
}

describe("what may go wrong, in words", () => {
  it("includes a power loss only on request", () => {
    for (const preset of ["one", "several", "zombie"] as const) {
      expect(budgetOf(preset, 2, FAULTS)).not.toHaveProperty("power_loss");
    }
    expect(budgetOf("rack", 2, FAULTS)).toMatchObject({ power_loss: 2 });
  });

  it("offers only what the kind of controller allows", () => {
    const under = (kind: string) => ({ state: { controller: { kind } } }) as unknown as Frame;

    expect(isPossible("hold", under("zookeeper"))).toBe(false);
    expect(isPossible("hold", under("kraft"))).toBe(true);
    expect(isPossible("crash", under("zookeeper"))).toBe(true);
    expect(isPossible("fail_controller", under("zookeeper"))).toBe(true);
    expect(isPossible("fail_controller", under("kraft"))).toBe(false);
  });

  it("leaves out what the service cannot try", () => {
    expect(
      budgetOf(
        "zombie",
        2,
        FAULTS.filter(({ name }) => name !== "hold"),
      ),
    ).not.toHaveProperty("hold");
  });

  // tests/sim_engine/exploration/test_search.py searches with this request.
  it("lets a zombie leader acknowledge with acks=1", async () => {
    const asked = questionOf(
      0,
      {
        property: "NoAckedRecordLost",
        depth: 12,
        seconds: 20,
        finer: false,
        acks: acksOf("zombie"),
      },
      budgetOf("zombie", 2, FAULTS),
    );

    expect(acksOf("several")).toBe("all");
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
    const asked = questionOf(
      3,
      { property: "LogMatching", depth: 12, seconds: 20, finer: true, acks: "all" },
      { ...ownBudget(FAULTS), epoch: undefined },
    );

    expect(asked).toMatchObject({ after: 3, property: "LogMatching", grain: "message" });
    expect(asked.budget).toMatchObject({ crash: 2, pause: 0 });
    expect(asked.budget).not.toHaveProperty("election");
    expect(asked.budget).not.toHaveProperty("epoch");
  });
});
