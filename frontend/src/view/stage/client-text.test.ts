import { describe, expect, it } from "vitest";

import type { Frame, Lang, Produced } from "../../trace";
import { frameAt, loss } from "../../trace/fixtures";
import { consumerLanes, producerLanes, type ProducerLane } from "./client-text";

const frame = frameAt(loss, -1);
const acked = frame.state.clients.produced.find((record) => record.outcome === "acked");
if (acked === undefined) throw new Error("nothing is acknowledged");

function lanesOf(
  count: number,
  changed: (at: number) => Partial<Produced> = () => ({}),
): ProducerLane[] {
  const produced = Array.from(
    { length: count },
    (_, at) =>
      ({
        ...acked,
        id: `r${at}`,
        value: `b${at + 1}`,
        fate: "safe" as const,
        lost_frame: null,
        ...changed(at),
      }) as Produced,
  );
  const shown: Frame = {
    ...frame,
    state: { ...frame.state, clients: { ...frame.state.clients, produced } },
  };
  return producerLanes(shown, "t-0", "en", (at) => at);
}

function chipsOf(...asked: Parameters<typeof lanesOf>): string[] {
  return lanesOf(...asked).flatMap((lane) => lane.chips.map((chip) => chip.text));
}

function requestsOf(...asked: Parameters<typeof lanesOf>): (readonly number[])[] {
  return lanesOf(...asked).flatMap((lane) => lane.chips.map((chip) => chip.requests));
}

describe("the chips of a producer", () => {
  it("each name a record while they are few", () => {
    expect(chipsOf(8)).toEqual(["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"]);
  });

  it("are one if many say the same, apart from those that say something else", () => {
    expect(chipsOf(20)).toEqual(["b1 … b20"]);
    expect(requestsOf(20)).toEqual([Array.from({ length: 20 }, (_, at) => at)]);
    expect(
      chipsOf(10, (at) => (at === 6 ? { outcome: "failed", error: "NOT_ENOUGH_REPLICAS" } : {})),
    ).toEqual(["b1 … b6", "b7", "b8", "b9", "b10"]);
  });
});

describe("what a consumer read", () => {
  const read = { as: "c1", partition: "t-0", offset: 0, value: "m1", frame: 1, changed: null };
  // The logs of the frame have other records: only the engine compares them.
  const shown = (
    ...consumed: (Omit<typeof read, "changed"> & { changed: string | null })[]
  ): Frame => ({
    ...frame,
    state: { ...frame.state, clients: { ...frame.state.clients, consumed } },
  });
  const chips = (of: Frame, lang: Lang = "en"): (string | boolean)[][] =>
    consumerLanes(of, "t-0", lang).flatMap((lane) =>
      lane.read.map(({ text, changed }) => [text, changed]),
    );

  it("has changed only if the frame says so", () => {
    expect(chips(shown({ ...read, value: "z" }))).toEqual([["z", false]]);
    expect(chips(shown({ ...read, changed: "x1" }))).toEqual([["m1, now x1", true]]);
    expect(chips(shown({ ...read, changed: "x1" }), "zh")).toEqual([["m1，现为 x1", true]]);
  });

  it("has changed if another record has the same value", () => {
    expect(chips(shown({ ...read, changed: "m1" }))).toEqual([["m1, now another m1", true]]);
  });
});
