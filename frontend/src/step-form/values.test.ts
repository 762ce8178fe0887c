import { describe, expect, it } from "vitest";

import type { StepForm } from "../service/api";
import { shownCount, valuesFrom, wrongCount } from "./values";

const produce = {
  name: "produce",
  arguments: [
    {
      name: "values",
      kind: "values",
      required: true,
      nullable: false,
      default: null,
      choices: [],
      minimum: 1,
      maximum: 1000,
    },
  ],
} as const satisfies StepForm;
const wrong = (values: string, count: string | null): string | undefined =>
  wrongCount(produce, { values }, count, "en").count;

describe("the values of a produce", () => {
  it("are one that is counted up, or several as they are", () => {
    expect(valuesFrom("m4", "3")).toEqual(["m4", "m5", "m6"]);
    expect(valuesFrom("order", "2")).toEqual(["order1", "order2"]);
    expect(valuesFrom("a, b c", null)).toEqual(["a", "b", "c"]);
  });

  it("determine their number until it is entered", () => {
    expect(shownCount("", null)).toBe("1");
    expect(shownCount("q r", null)).toBe("2");
    expect(shownCount("q r", "")).toBe("");
  });
});

describe("the entered number of records", () => {
  it.each(["0", "-2", "1.5", "", "many", "1001", "100000"])("is not %j", (count) => {
    expect(wrong("m4", count)).toBe("This must be a whole number from 1 to 1000.");
  });

  it("must not contradict several values", () => {
    expect(wrong("q r", "5")).toBe(
      "With several values, this must be their number: 2. To number records upwards, enter a single value.",
    );
    expect(wrong("q r", "1")).toBeDefined();
    expect(wrong("q r", "2")).toBeUndefined();
  });

  it("can be any other one up to the most of a step", () => {
    expect(wrong("m4", null)).toBeUndefined();
    expect(wrong("m4", " 1000 ")).toBeUndefined();
  });
});
