import { describe, expect, it } from "vitest";

import type { Frame } from "./frame";
import { frameAt, repair } from "./fixtures";
import { isStaleLeader, staleLeaders, staleSince } from "./stale-leaders";

const led = frameAt(repair, 1);

/** The same cluster, whose controller has this leader. */
function ledBy(leader: number, frame = led.frame): Frame {
  const partitions = {
    "t-0": { ...led.state.partitions["t-0"], leader },
  } as typeof led.state.partitions;
  return { ...led, frame, state: { ...led.state, partitions } };
}

describe("a stale leader", () => {
  it("acts as leader although another broker, or none, is the leader", () => {
    expect(staleLeaders(led)).toEqual([]);
    expect(staleLeaders(ledBy(2))).toEqual([{ broker: 1, partitions: ["t-0"] }]);
    expect(staleLeaders(ledBy(-1))).toEqual([{ broker: 1, partitions: ["t-0"] }]);
    expect(isStaleLeader(ledBy(2), "t-0", 2)).toBe(false);
  });

  it("is one since the first frame without interruption", () => {
    const branch = [ledBy(2, 0), ledBy(1, 1), ledBy(2, 2), ledBy(2, 7), ledBy(2, 8)];

    expect(staleSince(branch, { frame: 7 }, 1)).toBe(2);
    expect(staleSince(branch, { frame: 0 }, 1)).toBe(0);
    expect(staleSince(branch, { frame: 1 }, 1)).toBeNull();
    expect(staleSince(branch, { frame: 7 }, 2)).toBeNull();
    expect(staleSince(branch, { frame: 99 }, 1)).toBeNull();
  });
});
