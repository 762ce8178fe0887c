import { beforeEach, describe, expect, it } from "vitest";

import { keepTry, readTry } from "./stored-try";

const CUT = { power_loss: { broker: 1 } };

describe("the try of a challenge", () => {
  beforeEach(() => localStorage.clear());

  it("is as it was left, each challenge's its own", () => {
    keepTry("a", { moves: [CUT], undone: [{ crash: { broker: 2 } }] });

    expect(readTry("a")).toEqual({ moves: [CUT], undone: [{ crash: { broker: 2 } }] });
    expect(readTry("b")).toEqual({ moves: [], undone: [] });
  });

  it("leaves nothing behind once it was started over", () => {
    keepTry("a", { moves: [CUT], undone: [] });
    keepTry("a", { moves: [], undone: [] });

    expect(localStorage.length).toBe(0);
  });

  it.each(["no JSON", "3", "null", '{"moves": 3}', '{"moves": [null, 1]}'])(
    "%s is nothing",
    (kept) => {
      localStorage.setItem("highwater-try-a", kept);

      expect(readTry("a")).toEqual({ moves: [], undone: [] });
    },
  );
});
