import { expect, it } from "vitest";

import { countVotes } from "./vote-count";

it("shows no result before the answers are revealed", () => {
  expect(countVotes(3, null)).toBeNull();
});

it("counts each answer, including those without votes", () => {
  expect(countVotes(3, [19, 9, 8])?.map(({ percent }) => percent)).toEqual([53, 25, 22]);
  expect(countVotes(3, [1])).toEqual([
    { count: 1, total: 1, percent: 100 },
    { count: 0, total: 1, percent: 0 },
    { count: 0, total: 1, percent: 0 },
  ]);
});

it("shows no percentage without votes", () => {
  expect(countVotes(2, [0, 0])?.[0]).toEqual({ count: 0, total: 0, percent: 0 });
});
