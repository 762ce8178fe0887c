import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { MOST_BYTES, openedSummary } from "./opened-summary";

const SHIPPED = readFileSync("../sim_engine/campaigns/shipped.json", "utf8");
const VERSION = 1;
const CELLS = (JSON.parse(SHIPPED) as { cells: unknown[] }).cells;
const [FIRST_CELL] = CELLS;

function problem(text: string): string {
  const opened = openedSummary("x.json", text, VERSION, "en");
  return "problem" in opened ? opened.problem : "";
}

type Node = Record<string | number, unknown>;

/** The shipped summary with one value changed; undefined: without it. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const summary = JSON.parse(SHIPPED) as Node;
  const parent = path.slice(0, -1).reduce<Node>((node, key) => node[key] as Node, summary);
  parent[path.at(-1) ?? ""] = value;
  return JSON.stringify(summary);
}

describe("a summary from a file", () => {
  it("is shown if it is what a campaign writes", () => {
    const opened = openedSummary("x.json", SHIPPED, VERSION, "en");
    expect("summary" in opened && opened.summary.cells).toHaveLength(CELLS.length);
  });

  it("is refused with the place that is wrong", () => {
    expect(problem("{")).toContain("x.json is not JSON");
    expect(problem("[]")).toContain("{} is missing");
    expect(problem(changed(["cells", 3, "lost", "count"], undefined))).toContain(
      "cells[3].lost.count is missing or has the wrong type",
    );
    expect(problem(changed(["headlines", 0, "kind"], "from_a_later_version"))).toContain(
      "headlines[0].kind",
    );
    expect(problem(changed(["cells", 0, "rules"], { "KIP-101": "many" }))).toContain(
      "cells[0].rules",
    );
    expect(problem(changed(["grid"], undefined))).toContain("grid is missing");
    expect(problem(changed(["axes"], { kafka: "3.9" }))).toContain("axes");
    expect(problem(changed(["odds", "terms", 1, "low"], "1"))).toContain("odds.terms[1].low");
    expect(problem(changed(["cells"], []))).toContain("cells[0]");
  });

  it("is refused if it is of another version, too large, or has too many cells", () => {
    expect(problem(changed(["version"], 2))).toContain(
      "format version 2; this page reads version 1",
    );
    expect(problem(" ".repeat(MOST_BYTES + 1))).toContain("larger than 16 MB");
    expect(
      problem(
        changed(
          ["cells"],
          Array.from({ length: 513 }, () => FIRST_CELL),
        ),
      ),
    ).toContain("more than 512 cells");
  });
});
