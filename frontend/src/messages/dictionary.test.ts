import { describe, expect, it } from "vitest";

import { COMPARE_MESSAGES } from "./compare";
import { SEARCH_MESSAGES } from "./search";
import { FAULTS, INSIGHTS_WORDS } from "./insights";
import { PAGE_WORDS, say } from "./pages";

import { SHARING_WORDS } from "./sharing";
import { fillIn, sayer } from "./dictionary";

const places = (text: string): string[] => [...text.matchAll(/\{([a-z]+)(?::[^{}]*)?\}/g)].map((match) => match[1] ?? "").sort();

describe("the dictionaries", () => {
  it.each(Object.entries({ ...PAGE_WORDS, ...SHARING_WORDS, ...INSIGHTS_WORDS, ...FAULTS, ...SEARCH_MESSAGES, ...COMPARE_MESSAGES }))("%s is said in both languages with the same numbers in it", (_, text) => {
    expect(text.en.trim()).not.toBe("");
    expect(text.zh.trim()).not.toBe("");
    expect(places(text.zh)).toEqual(places(text.en));
  });
});

describe("saying", () => {
  it("puts what is given in its place", () => {
    expect(say("en", "heroStep", { step: 13, steps: 14 })).toBe("Step 13 of 14.");
    expect(say("zh", "heroStep", { step: 13, steps: 14 })).toBe("第 13 / 14 步。");
  });

  it("gives a number the form of its word", () => {
    expect(fillIn("{n:step|steps}", { n: 1 })).toBe("1 step");
    expect(fillIn("{n:step|steps}", { n: "1" })).toBe("1 step");
    expect(fillIn("in {n:step|steps}", { n: 0 })).toBe("in 0 steps");
    expect(fillIn("{n:property|properties} behind it", { n: 12 })).toBe("12 properties behind it");
    expect(fillIn("{n:step|steps}", {})).toBe("{n:step|steps}");
  });

  it("leaves a place that nothing was given for", () => {
    expect(fillIn("{a} of {b}", { a: 0 })).toBe("0 of {b}");
  });

  it("puts in what looks like a place as it is", () => {
    expect(sayer({ x: { en: "{a}", zh: "{a}" } })("en", "x", { a: "$& {a}" })).toBe("$& {a}");
  });
});
