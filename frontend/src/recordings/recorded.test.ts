import { describe, expect, it } from "vitest";

import { grouped, written } from "./recorded";

const read = (where: string, recorded: unknown = 1) => ({
  where,
  recorded,
  engine: recorded,
  standing: "equal" as const,
});

describe("what was read after a step", () => {
  it("stands by whose it is, the brokers first and by their numbers", () => {
    const groups = grouped(
      [
        "produced/1/offset",
        "saw/leader",
        "saw/consumable_end",
        "saw/brokers/10/log",
        "saw/brokers/2/log",
        "saw/brokers/2/process",
        "metadata_records",
      ].map((where) => read(where)),
    );

    expect(groups.map(({ of, rows }) => [of, rows.map((row) => row.name)])).toEqual([
      [{ broker: "2" }, ["is_log", "is_process"]],
      [{ broker: "10" }, ["is_log"]],
      ["controller", ["is_leader", "is_metadata_records"]],
      ["clients", ["is_produced_offset", "is_consumable_end"]],
    ]);
    expect(groups.at(-1)?.rows[0]?.number).toBe(2);
  });

  it.each([
    [
      "is_log",
      [
        [0, null, "m1"],
        [1, null, "m2"],
      ],
      "0: m1  1: m2",
    ],
    [
      "is_log",
      [
        [0, 3, "m1"],
        [1, 4, null, "COMMIT"],
      ],
      "0: m1/3  1: COMMIT/4",
    ],
    [
      "is_leader_epoch_checkpoint",
      [
        [0, 0],
        [2, 5],
      ],
      "0 → 0, 2 → 5",
    ],
    ["is_consumed", [[0, "m1"]], "0: m1"],
    ["is_isr", [2, 1], "2, 1"],
    ["is_elr", [], null],
    ["is_fenced", false, "false"],
    ["is_produced_error", null, null],
  ])("%s %j is written %j", (name, value, text) => {
    expect(written(name, value)).toBe(text);
  });
});
