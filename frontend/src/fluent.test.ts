import { describe, expect, it } from "vitest";

import {
  languageTags,
  readFluent,
  readMessages,
  readRoom,
  roomNames,
  type PatternData,
} from "../languages.config";
// What the engine's formatter is held to as well.
import cases from "../../tests/sim_engine/languages/patterns.json";
import { fill, pieces, placeholders } from "./language/pattern";
import { sayer } from "./language/sayer";

function read(pattern: string): PatternData {
  return readFluent(`pattern = ${pattern}`, "x.ftl").pattern?.text ?? "";
}

describe("a Fluent file", () => {
  it.each(cases.read)("is read as the engine reads it: $pattern", ({ pattern, document }) => {
    expect(read(pattern)).toEqual(document);
  });

  it.each(["{ NUMBER($n) }", "{ other }", "{ -term }"])(
    "is refused where it uses %s",
    (pattern) => {
      expect(() => read(pattern)).toThrow("x.ftl: pattern:");
    },
  );

  it("is rejected if it is invalid, or if a text is on two lines", () => {
    expect(() => readFluent("pattern = {", "x.ftl")).toThrow("x.ftl: Expected");
    expect(() => read("one\n    two")).toThrow("a text must be on one line");
  });

  it("is right in every language", () => {
    for (const tag of languageTags()) {
      for (const part of [
        "events",
        "properties",
        "reasons",
        "rules",
        "scenarios",
        "steps",
        "terms",
        "changes",
        "values",
      ]) {
        expect(Object.keys(readMessages(tag, `narration/${part}`))).toEqual(
          Object.keys(readMessages("en", `narration/${part}`)),
        );
      }
      for (const room of roomNames())
        expect(Object.keys(readRoom(tag, room))).toEqual(Object.keys(readRoom("en", room)));
    }
  });
});

describe("a pattern", () => {
  it.each(cases.filled)(
    "is filled as the engine fills it: $said",
    ({ pattern, numbers, plurals, separator, said }) => {
      expect(
        fill(read(pattern), numbers, { plurals: cases.plurals[plurals as "en" | "pl"], separator }),
      ).toBe(said);
    },
  );

  it("keeps values separate from the text around them", () => {
    expect(pieces(read("Broker { $broker } stops."), { broker: 2 }, { plurals: {} })).toEqual([
      { text: "Broker ", name: null },
      { text: "2", name: "broker" },
      { text: " stops.", name: null },
    ]);
  });

  it("shows a value by its own text", () => {
    const words = { leader: read("{ $value ->\n    [-1] nobody\n   *[other] { $value }\n}") };

    expect(
      fill(read("{ $leader } { $epoch }"), { leader: -1, epoch: -1 }, { plurals: {}, words }),
    ).toBe("nobody -1");
  });

  it("names its numbers", () => {
    expect(placeholders(read("{ $n ->\n    [one] { $a }\n   *[other] { $b }\n} { $a }"))).toEqual([
      "n",
      "a",
      "b",
    ]);
  });
});

describe("saying", () => {
  const say = sayer({
    en: {
      steps: read("{ $n ->\n    [one] { $n } step\n   *[other] { $n } steps\n}"),
      plain: "yes",
    },
    zh: { steps: ["步 ", { value: "n" }], plain: "是" },
  });

  it("uses the language, and English if it is not available", () => {
    expect(say("en", "steps", { n: 1 })).toBe("1 step");
    expect(say("zh", "steps", { n: 2 })).toBe("步 2");
    expect(say("tlh", "plain")).toBe("yes");
  });

  it("rejects the name of a missing text", () => {
    expect(() => say("en", "unheard" as "plain")).toThrow("no text is called unheard");
  });
});
