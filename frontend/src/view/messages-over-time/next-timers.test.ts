import { describe, expect, it } from "vitest";

import { nextTimers } from "./next-timers";

const timer = (
  kind: "isr_expiration" | "session_timeout" | "long_poll",
  broker: number,
  due_ms: number,
) => ({ kind, broker, due_ms });

describe("the timers that come next", () => {
  it("are the first three, those of several brokers at once being one", () => {
    const due = nextTimers({
      time_ms: 1_000,
      timers: [
        timer("isr_expiration", 1, 5_000),
        timer("session_timeout", 1, 4_000),
        timer("isr_expiration", 2, 5_000),
        timer("long_poll", 1, 6_000),
        timer("long_poll", 2, 9_000),
      ],
    });

    expect(due.map(({ kind, broker, inMs }) => [kind, broker, inMs])).toEqual([
      ["session_timeout", 1, 3_000],
      ["isr_expiration", null, 4_000],
      ["long_poll", 1, 5_000],
    ]);
  });

  it("are waited for, and fired where they are due", () => {
    const due = nextTimers({
      time_ms: 1_000,
      timers: [timer("isr_expiration", 1, 1_000), timer("session_timeout", 2, 1_200)],
    });

    expect(due.map(({ step }) => step)).toEqual([
      { timer: { kind: "isr_expiration", broker: 1 } },
      { advance: { ms: 200 } },
    ]);
  });
});
