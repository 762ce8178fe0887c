import { describe, expect, it } from "vitest";

import type { FoundEntry, FoundKind } from "../service/api";
import { groupsOf, optionsOf } from "./groups";

const hit = (kind: FoundKind, id: string): FoundEntry => ({
  kind,
  id,
  title: id,
  text: "",
  lang: "en",
  address: `/${id}`,
  sign: null,
  holds: null,
  picture: null,
});
const hits = (kind: FoundKind, count: number): FoundEntry[] =>
  Array.from({ length: count }, (_, place) => hit(kind, `${kind}-${String(place)}`));

describe("the groups of a search", () => {
  it("are in the order of their best hits, with four of a kind and ten in all", () => {
    const lessons = hits("lesson", 7);
    const groups = groupsOf({
      kinds: [
        { kind: "lesson", count: 18 },
        { kind: "step", count: 23 },
        { kind: "doc", count: 6 },
      ],
      hits: [...lessons.slice(0, 1), ...hits("step", 5), ...lessons.slice(1), ...hits("doc", 3)],
    });

    expect(groups.map(({ kind, count, hits: shown }) => [kind, count, shown.length])).toEqual([
      ["lesson", 18, 4],
      ["step", 23, 4],
      ["doc", 6, 2],
    ]);
  });

  it("include a kind whose hits are all behind the best ones, to open all of it", () => {
    const groups = groupsOf({
      kinds: [
        { kind: "term", count: 1 },
        { kind: "claim", count: 2 },
      ],
      hits: hits("term", 1),
    });

    expect(groups.at(-1)).toEqual({ kind: "claim", count: 2, hits: [] });
    expect(optionsOf(groups).map((option) => option.all ?? option.hit.id)).toEqual([
      "term-0",
      "claim",
    ]);
  });
});
