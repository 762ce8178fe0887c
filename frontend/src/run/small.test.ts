import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";

import { authorWordsAt, isToldOf, titleUnder } from "./author";

describe("the author's words", () => {
  const scenario = {
    id: "s",
    kafka: "3.9",
    title: { en: "", zh: "" },
    steps: [
      { note: { en: "before", zh: "之前" } },
      { crash: { broker: 1 } },
      { note: { en: "after", zh: "之后" } },
      { expect: {} },
      { ask: { en: "why", zh: "为何" , answers: ["a", { en: "b", zh: "乙" }], correct: 1 } },
    ],
  };
  const release = { kafka: "3.9", control: "kraft" };
  const frames = [{ frame: 0, item: null }, { frame: 1, item: 1 }, { frame: 2, item: 1 }] as unknown as Frame[];

  it("stand at the last frame of the step before them", () => {
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 0, "en", release).map((words) => words.text)).toEqual(["before"]);
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 1, "en", release)).toEqual([]);
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 2, "zh", release).map((words) => words.text)).toEqual(["之后", "为何"]);
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 2, "zh", release)[1]?.answers).toEqual(["a", "乙"]);
  });

  it("are not told on a branch that never made the step", () => {
    expect(authorWordsAt(scenario, frames, [0], 0, "en", release).map((words) => words.text)).toEqual(["before"]);
  });

  it("are left out where they are told of other releases", () => {
    const versioned = { ...scenario, steps: [{ note: { en: "cut", zh: "截断", until: "0.10.2" } }, { note: { en: "asked", zh: "询问", since: "0.11", control: "zookeeper" } }] };
    const at = (kafka: string, control: string) => authorWordsAt(versioned, frames, [0], 0, "en", { kafka, control }).map((words) => words.text);

    expect(at("0.10.2", "zookeeper")).toEqual(["cut"]);
    expect(at("2.8", "zookeeper")).toEqual(["asked"]);
    expect(at("2.8", "kraft")).toEqual([]);
  });

  it("go by the line of a release, not by its last digit", () => {
    const told = (kafka: string, since: string, until: string) => isToldOf({ since, until }, { kafka, control: "zookeeper" });

    expect([told("0.10.2.2", "0.9", "0.10.2"), told("0.11", "0.9", "0.10.2")]).toEqual([true, false]);
    expect([told("2.0.0", "0.9", "2.0.0"), told("2.0.1", "0.9", "2.0.0")]).toEqual([true, false]);
    expect([told("2.0.1", "2.0.1", "2.1"), told("2.0.0", "2.0.1", "2.1"), told("2.10", "2.0.1", "2.9")]).toEqual([true, false, false]);
  });

  it("and the title says of which release it is told, under another", () => {
    const lost = { ...scenario, kafka: "0.10.2", title: { en: "Lost", zh: "丢失" }, told: { until: "0.10.2" } };

    expect(titleUnder(lost, { kafka: "0.9", control: "zookeeper" }, "en")).toBe("Lost");
    expect(titleUnder(lost, release, "en")).toBe("Lost (told of Kafka 0.10.2)");
    expect(titleUnder(lost, release, "zh")).toBe("丢失（讲的是 Kafka 0.10.2）");
  });
});
