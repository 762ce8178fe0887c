import { readFileSync } from "node:fs";

import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";

import { languageContext } from "../language/context";
import type { SearchSummary } from "../service/api";
import { endingOf, searchedMatrix, sizesOf } from "./searched";
import SearchedGrid from "./SearchedGrid.svelte";

const summary = JSON.parse(
  readFileSync("../sim_engine/campaigns/searched-1-two-replicas.json", "utf8"),
) as SearchSummary;

let close = (): void => undefined;
afterEach(() => {
  close();
  close = () => undefined;
  document.body.innerHTML = "";
});

function shown(lang: "en" | "zh" = "en") {
  const onopen = vi.fn();
  const component = mount(SearchedGrid, {
    target: document.body,
    context: languageContext(lang),
    props: { summary, busy: false, onopen },
  });
  close = () => void unmount(component);
  flushSync();
  return {
    onopen,
    button: (kind: string) => document.querySelector<HTMLButtonElement>(`td .${kind}`),
    detail: () => document.querySelector(".detail")?.textContent ?? "",
  };
}

it("opens the run of a violated cell", () => {
  const { onopen, button } = shown();

  button("violated")?.click();

  const found = summary.cells.find((cell) => endingOf(cell) === "violated");
  expect(onopen).toHaveBeenCalledWith(found?.scenario);
});

it.each(["en", "zh"] as const)(
  "states the size of what is exhausted, and its scope: %s",
  (lang) => {
    const { onopen, button, detail } = shown(lang);
    const found = summary.cells.find((cell) => endingOf(cell) === "exhausted");

    button("exhausted")?.click();
    flushSync();

    expect(detail()).toContain(new Intl.NumberFormat("en").format(found?.states ?? 0));
    expect(document.querySelector("details")?.textContent).toContain("crash");
    expect(onopen).not.toHaveBeenCalled();
  },
);

it("states the limit of what was cut", () => {
  const { button, detail } = shown();

  button("cut")?.focus();
  flushSync();

  expect(detail()).toContain(new Intl.NumberFormat("en").format(summary.max_states));
});

it("is one stop of the tab key, and arrows go from cell to cell", () => {
  shown();
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("td button")];
  expect(buttons.filter((button) => button.tabIndex === 0)).toEqual([buttons[0]]);

  buttons[0]?.focus();
  buttons[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  flushSync();

  expect(document.activeElement).toBe(buttons[1]);
  expect(buttons.filter((button) => button.tabIndex === 0)).toEqual([buttons[1]]);
});

it("has each cell once, and the sizes are of all cells", () => {
  const shownCells = searchedMatrix(summary).rows.flatMap((row) => row.cells);
  const sizes = sizesOf(summary);

  expect(shownCells.filter((cell) => cell !== null)).toHaveLength(summary.cells.length);
  expect(sizes.violated + sizes.exhausted + sizes.cut).toBe(summary.cells.length);
});
