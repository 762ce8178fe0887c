import { expect, it } from "vitest";

import { labelLines } from "./label-lines";

const at = (from: number, to: number) => ({ from, to });

it("uses three lines in turn if there is room", () => {
  expect(labelLines([at(0, 50), at(10, 60), at(20, 70), at(100, 150), at(110, 160)])).toEqual([
    0, 1, 2, 0, 1,
  ]);
});

it("moves a label that would cover another one to the next line with room", () => {
  expect(
    labelLines([at(0, 50), at(10, 60), at(20, 90), at(40, 90), at(100, 150), at(80, 150)]),
  ).toEqual([0, 1, 2, 3, 1, 0]);
});

it("has the usual lines before the labels are measured", () => {
  expect(labelLines([at(0, 0), at(20, 20), at(40, 40), at(60, 60)])).toEqual([0, 1, 2, 0]);
});
