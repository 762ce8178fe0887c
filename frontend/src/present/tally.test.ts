import { expect, it } from "vitest";

import { tallyOf } from "./tally";

it("tells nothing before the answers are revealed", () => {
  expect(tallyOf(3, null)).toBeNull();
});

it("counts each answer, those that nobody chose too", () => {
  expect(tallyOf(3, [19, 9, 8])?.map(({ percent }) => percent)).toEqual([53, 25, 22]);
  expect(tallyOf(3, [1])).toEqual([
    { count: 1, total: 1, percent: 100 },
    { count: 0, total: 1, percent: 0 },
    { count: 0, total: 1, percent: 0 },
  ]);
});

it("divides by nobody", () => {
  expect(tallyOf(2, [0, 0])?.[0]).toEqual({ count: 0, total: 0, percent: 0 });
});
