import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";
import { exchangeIn, questionIn, roleOf } from "./logs-figure";

const frameOf = (events: readonly object[]): Frame => ({ events }) as unknown as Frame;

describe("the question about the end of a log", () => {
  const asked = { kind: "EpochLookupSent", numbers: { broker: 2, leader: 1 } };
  const answered = { kind: "EpochLookupAnswered", numbers: { end_offset: 2 } };

  it("is drawn if it was asked and answered", () => {
    expect(questionIn(frameOf([asked, answered]))).toEqual({ from: 2, to: 1, end: 2 });
    expect(questionIn(frameOf([asked]))).toBeNull();
  });

  it("is not drawn if the leader could not tell", () => {
    const notTold = { ...answered, numbers: { end_offset: -1 } };
    expect(questionIn(frameOf([asked, notTold]))).toBeNull();
  });
});

describe("a follower's request for records", () => {
  const numbers = { broker: 2, partition: "t-0", leader: 1 };
  const asked = { kind: "FetchSent", numbers: { ...numbers, fetch_offset: 1 } };
  const got = (...values: string[]) => ({ kind: "FetchApplied", numbers: { ...numbers, values } });

  it("is the last one that was answered, with its records", () => {
    const drawn = { follower: 2, leader: 1, offset: 1, values: ["m2"] };
    expect(exchangeIn(frameOf([asked, got("m2"), asked]), "t-0")).toEqual(drawn);
    expect(exchangeIn(frameOf([asked, got()]), "t-0")).toEqual({ ...drawn, values: [] });
  });

  it("is not drawn while it waits, nor in another partition", () => {
    expect(exchangeIn(frameOf([asked]), "t-0")).toBeNull();
    expect(exchangeIn(frameOf([asked, got("m2")]), "t-1")).toBeNull();
  });
});

describe("what a broker is", () => {
  const frame = {
    state: {
      partitions: { "t-0": { leader: 1 } },
      replicas: {
        "t-0": {
          "1": { broker_state: "running", fetcher: null },
          "2": { broker_state: "running", fetcher: { state: "truncating" } },
          "3": { broker_state: "crashed", fetcher: null },
          "4": { broker_state: "running", fetcher: { state: "fetching" } },
        },
      },
    },
  } as unknown as Frame;

  it("is read from its state, its fetch loop and the controller", () => {
    expect([1, 2, 3, 4].map((broker) => roleOf(frame, "t-0", broker))).toEqual([
      "roleLeader",
      "roleAsks",
      "roleDown",
      "roleFollower",
    ]);
  });
});
