import { describe, expect, it } from "vitest";

import { pathAt, placeAt } from "./place-in-text";
import { keysAt, meaningAt, valuesAt, type Schema } from "./schema-help";

const SCHEMA: Schema = {
  properties: {
    kafka: { $ref: "#/$defs/version" },
    control: { enum: ["zookeeper", "kraft", null] },
    brokers: {
      anyOf: [
        { type: "array" },
        {
          patternProperties: {
            "^[0-9]+$": {
              properties: { rack: { type: "string", description: "Where it stands." } },
            },
          },
        },
      ],
    },
    steps: {
      items: {
        properties: {
          crash: { properties: { broker: { minimum: 0, maximum: 1000 } } },
          settle: {},
        },
      },
    },
  },
  $defs: { version: { description: "A release of Kafka." } },
};

/** The place of `|` in a text. */
function at(marked: string): ReturnType<typeof placeAt> {
  return placeAt(marked.replace("|", ""), marked.indexOf("|"));
}

describe("where the cursor stands", () => {
  it.each([
    ["id: a\nka|", [], ["id"]],
    ["id: a\nbrokers:\n  1: {|}\n", ["brokers", "1"], []],
    ["steps:\n  - cr|\n", ["steps", 0], []],
    ["steps:\n  - crash: {|broker: 1}\n", ["steps", 0, "crash"], []],
  ])("in a key of %j it is the mapping, with the keys that are there", (text, path, keys) => {
    expect(at(text)).toMatchObject({ path, keys });
  });

  it("in a value it is the key", () => {
    expect(at("control: |\n")).toMatchObject({ path: ["control"], keys: null });
    expect(at("control: kr|\n")).toMatchObject({ path: ["control"], keys: null });
  });

  it("is the path of what stands there", () => {
    expect(pathAt("steps:\n  - crash: {broker: 1}\n", 12)).toEqual(["steps", 0, "crash"]);
    expect(pathAt("kafka: x\n", 2)).toEqual(["kafka"]);
  });
});

describe("what the schema says", () => {
  it("of a mapping: the keys that may still be written, with their meaning", () => {
    expect(keysAt(SCHEMA, [], ["steps", "brokers", "control"])).toEqual([
      { label: "kafka", detail: "A release of Kafka." },
    ]);
    expect(keysAt(SCHEMA, ["brokers", "2"], []).map((offer) => offer.label)).toEqual(["rack"]);
    expect(keysAt(SCHEMA, ["steps", 3], []).map((offer) => offer.label)).toEqual([
      "crash",
      "settle",
    ]);
  });

  it("of a value: those that can be counted, and the range of a number", () => {
    expect(valuesAt(SCHEMA, ["control"]).map((offer) => offer.label)).toEqual([
      "zookeeper",
      "kraft",
    ]);
    expect(meaningAt(SCHEMA, ["steps", 0, "crash", "broker"])).toBe("0–1000");
    expect(meaningAt(SCHEMA, ["nothing"])).toBe("");
  });
});
