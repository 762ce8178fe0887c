import { describe, expect, it } from "vitest";

import type { Move } from "../service/api";
import type { Frame } from "../trace";
import { choicesOf, keyAt, moveOfKey, movesFor } from "./moves";

const cut: Move = { step: { power_loss: { broker: 1 } }, token: "power_loss", actor: "1", row: 8 };
const start: Move = { step: { start: { broker: 2 } }, token: null, actor: "2", row: 1 };
const elect: Move = {
  step: { elect: { partition: "t-0", kind: "preferred" } },
  token: null,
  actor: "controller",
  row: null,
};
const deliver: Move = {
  step: { deliver: { kind: "alter_partition_request", from: 1, to: "controller" } },
  token: null,
  actor: "network",
  row: null,
};
const moves = choicesOf([cut, start, elect, deliver]);
const request = {
  id: 4,
  kind: "alter_partition_request",
  from: 1,
  to: "controller",
  partition: "t-0",
  held: false,
  parked: false,
};
const frame = { state: { in_flight: [request, { ...request, id: 5 }] } } as unknown as Frame;

const stepsFor = (selection: Parameters<typeof movesFor>[0]) =>
  movesFor(selection, moves, frame).map(({ step }) => step);

describe("the moves of a challenge", () => {
  it("have a key each, which is not that of undo or redo", () => {
    const keys = Array.from({ length: 33 }, (_, place) => keyAt(place));

    expect(keys.slice(0, 11)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b"]);
    expect(new Set(keys).size).toBe(33);
    expect(keys).not.toContain("u");
    expect(keys).not.toContain("r");
    expect(keyAt(33)).toBeNull();
    expect(moveOfKey("2", moves)?.step).toEqual(start.step);
    for (const key of ["9", "u", "Enter", "12", ""]) expect(moveOfKey(key, moves)).toBeUndefined();
  });

  it("for a thing on the stage are those about it, and no other step", () => {
    expect(stepsFor({ kind: "broker", broker: 1 })).toEqual([cut.step]);
    expect(stepsFor({ kind: "actor", actor: "controller" })).toEqual([elect.step]);
    expect(stepsFor({ kind: "message", id: 4 })).toEqual([deliver.step]);
    // The step delivers the oldest of two messages that are alike.
    expect(stepsFor({ kind: "message", id: 5 })).toEqual([]);
    expect(stepsFor({ kind: "message", id: 6 })).toEqual([]);
  });
});
