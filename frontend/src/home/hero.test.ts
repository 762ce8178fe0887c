import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";
import {
  markedPieces,
  momentAt,
  momentFrom,
  restMs,
  standingAt,
  termsUpTo,
  WHOLE_MS,
  type Moment,
} from "./hero";

const MOMENTS: readonly Moment[] = [
  { name: "copied", step: 2, terms: ["record", "leader"] },
  { name: "written", step: 4, terms: [] },
  { name: "told", step: 9, terms: ["truncate"] },
  { name: "end", step: 14, terms: [] },
];

describe("the moments of the front page's story", () => {
  it("tell the last one before a step between two of them", () => {
    expect(momentAt(MOMENTS, 7)?.name).toBe("written");
    expect(momentAt(MOMENTS, 0)?.name).toBe("copied");
  });

  it("are walked in both directions, and end", () => {
    expect(momentFrom(MOMENTS, 7, 1)?.name).toBe("told");
    expect(momentFrom(MOMENTS, 7, -1)?.name).toBe("written");
    expect(momentFrom(MOMENTS, 14, 1)).toBeUndefined();
  });

  it("keep the words that they have introduced", () => {
    expect(termsUpTo(MOMENTS, MOMENTS[2] as Moment)).toEqual(["record", "leader", "truncate"]);
  });

  it("take the whole time together, and a longer sentence takes longer", () => {
    const said = ({ name }: Moment): string => "x".repeat(name === "told" ? 120 : 20);
    const durations = Array.from({ length: 12 }, (_, place) => restMs(MOMENTS, place + 2, said));

    expect(durations.reduce((sum, one) => sum + one, 0)).toBeCloseTo(WHOLE_MS);
    expect(durations[7]).toBeGreaterThan((durations[0] ?? 0) * 2);
  });
});

function frameWith(produced: object, events: readonly object[] = []): Frame {
  return {
    events,
    state: { clients: { produced: [produced] }, partitions: { "t-0": {} }, brokers: { "1": {} } },
  } as unknown as Frame;
}

describe("how the record of the story stands", () => {
  const acked = { id: "r2", value: "m2", outcome: "acked", fate: "safe" };
  const cut = {
    kind: "LogTruncated",
    numbers: { broker: 1, partition: "t-0" },
    subject: { records: [{ id: "r2", offset: 1 }] },
  };
  const frames = [
    frameWith({ ...acked, outcome: "pending", fate: null }),
    frameWith(acked),
    frameWith(acked, [cut]),
    frameWith({ ...acked, fate: "at_risk" }),
    frameWith({ ...acked, fate: "lost" }, [cut]),
  ];

  it("is what the engine says of it", () => {
    expect(frames.map((_, step) => standingAt(frames, step)?.what ?? null)).toEqual([
      null,
      "acknowledged",
      "cut",
      "at_risk",
      "lost",
    ]);
    expect(standingAt(frames, 2)?.broker).toBe(1);
  });

  it("is kept if it is safe at the end", () => {
    expect(standingAt(frames.slice(0, 2), 1)?.what).toBe("kept");
  });
});

describe("a sentence that introduces words", () => {
  it("is split at each of them, wherever it is", () => {
    expect(markedPieces("Broker 2 is the leader of each record.", ["record", "leader"])).toEqual([
      { text: "Broker 2 is the ", term: false },
      { text: "leader", term: true },
      { text: " of each ", term: false },
      { text: "record", term: true },
      { text: ".", term: false },
    ]);
    expect(markedPieces("No word.", ["leader"])).toEqual([{ text: "No word.", term: false }]);
  });
});
