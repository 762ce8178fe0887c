import { screen } from "@testing-library/svelte";
import { expect, it } from "vitest";

import { renderIn } from "../language/render-fixture";
import type { SearchResult } from "../service/search";
import { catalogue } from "../trace/fixtures";
import FoundFailure from "./FoundFailure.svelte";
import { searchResult } from "./result-fixture";

function show(result: Partial<SearchResult>, lang: "en" | "zh" = "en"): string {
  renderIn(lang)(FoundFailure, {
    props: { result: searchResult(result), faults: "", catalogue, onwatch: () => undefined },
  });
  return document.body.textContent;
}

it.each<[Partial<SearchResult>, RegExp]>([
  [{ verdict: "none_within_bound", limit: "depth" }, /every state up to 2 steps: 12 in total/],
  [{ verdict: "none_within_bound", complete: true, limit: null }, /12 states from here/],
  [{ verdict: "not_exercised", exercised: false }, /^Nothing was checked: in none of the 12/],
  [{ verdict: "not_exercised", exercised: false, complete: true }, /^Nothing was checked/],
  [{ verdict: "cut", limit: "states" }, /^The limit of states is reached/],
  [{ verdict: "cut", limit: "cpu_seconds" }, /^The limit of processor time is reached/],
  [{ verdict: "cut", limit: "interrupt" }, /^Cancelled/],
])("states what %j means", (result, expected) => {
  expect(show(result).trim()).toMatch(expected);
  expect(document.body.textContent).not.toMatch(/safe|impossible/);
});

it("names what was tried, and what was not by its reason", () => {
  show({});

  const [tried, leftOut] = document.querySelectorAll("details");
  expect(tried).toHaveTextContent("broker crashes · ISR check · unclean elections");
  const reasons = [...(leftOut?.querySelectorAll("dt, dd") ?? [])].map((one) => one.textContent);
  expect(reasons).toEqual([
    "The number allowed is 0",
    "reassignments · reads by a consumer",
    "Part of a step that is tried as a whole",
    "end of a waiting fetch",
  ]);
});

it("states it in Chinese, too", () => {
  expect(show({ verdict: "none_within_bound", complete: true }, "zh")).toContain("如果加上未尝试");
  expect(screen.getByText("允许的次数为 0")).toBeInTheDocument();
});

it.each([
  ["stuck", /The last 3 steps end every fault.* Then nothing changes any more\./],
  ["recurs", /The last 3 steps end every fault.* The same states then return again and again\./],
] as const)("states how a continuation that never ends goes on: %s", (ending, expected) => {
  const steps = [{ crash: { broker: 1 } }, { start: { broker: 1 } }, { settle: {} }];

  expect(show({ verdict: "violated", steps, continuation: 3, ending })).toMatch(expected);
});
