import { expect, it } from "vitest";

import { countVotes, mostChosenWrong } from "./vote-count";

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

it("shows no result without votes", () => {
  expect(countVotes(2, [0, 0])).toBeNull();
});

it("finds the wrong answer with the most votes, the first of several", () => {
  expect(mostChosenWrong(countVotes(4, [3, 9, 2, 3]), 1)).toBe(0);
  expect(mostChosenWrong(countVotes(3, [0, 1, 2]), 0)).toBe(2);
  expect(mostChosenWrong(countVotes(3, [0, 4, 0]), 1)).toBeNull();
  expect(mostChosenWrong(null, 1)).toBeNull();
});
