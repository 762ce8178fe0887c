import { describe, expect, it } from "vitest";

import type { LessonLibrary, ListedLesson } from "../service/api";
import { filtered, filterOf } from "./filter";

const lesson = (id: string, told: Partial<ListedLesson>): ListedLesson =>
  ({ id, mishaps: [], kips: [], articles: [], changes: [], ...told }) as unknown as ListedLesson;

const LIBRARY: LessonLibrary = {
  lessons: [
    lesson("a", { mishaps: ["lost"], changes: ["0.11"] }),
    lesson("b", { kips: ["KIP-101"], articles: [1], changes: ["1.1"] }),
    lesson("c", {}),
  ],
  versions: ["0.10.2", "0.11", "1.1"],
  path: [],
  terms: {},
  fidelity: { recordings: 0, releases: 0, cases: 0 },
  landmarks: [],
};
const idsOf = (search: string): string[] => filtered(LIBRARY, filterOf(search)).map(({ id }) => id);

describe("which lessons are shown", () => {
  it.each([
    ["", []],
    ["?all", ["a", "b", "c"]],
    ["?wrong=lost", ["a"]],
    ["?wrong=nothing", []],
    ["?kip=KIP-101", ["b"]],
    ["?article=1", ["b"]],
    ["?kafka=0.11", ["a"]],
    ["?kafka=1.1", ["b"]],
    ["?kafka=0.10.2", []],
    ["?kafka=9", []],
  ])("%s", (search, ids) => {
    expect(idsOf(search)).toEqual(ids);
  });

  it("words are for the search, which is not a filter", () => {
    expect(filterOf("?q=isr&wrong=lost")).toEqual({ by: "mishap", mishap: "lost" });
  });
});
