import { readFileSync } from "node:fs";

import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { languageContext } from "../language/context";
import type { CampaignSummary } from "../service/api";
import { matrixOf, settingAxes, type Cell } from "./campaign";
import Matrix from "./Matrix.svelte";

const summary = JSON.parse(
  readFileSync("../sim_engine/campaigns/shipped.json", "utf8"),
) as CampaignSummary;
const chosen = summary.cells[0] as Cell;

let close = (): void => undefined;
afterEach(() => {
  close();
  document.body.innerHTML = "";
});

function shown() {
  const onopen = vi.fn();
  const onchoose = vi.fn();
  const component = mount(Matrix, {
    target: document.body,
    context: languageContext("en"),
    props: { summary, chosen, onchoose, onopen },
  });
  close = () => void unmount(component);
  flushSync();
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("td button")];
  return { buttons, onopen, onchoose };
}

function press(key: string): void {
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  flushSync();
}

describe("the matrix", () => {
  it("is one stop of the tab key, and arrows go from cell to cell", () => {
    const { buttons } = shown();
    const stops = () => buttons.filter((button) => button.tabIndex === 0);
    const columns = document.querySelectorAll("th.release").length;
    expect(stops()).toHaveLength(1);

    stops()[0]?.focus();
    press("ArrowRight");
    press("ArrowDown");

    expect(document.activeElement).toBe(buttons[columns + 1]);
    expect(stops()).toEqual([buttons[columns + 1]]);
    press("ArrowLeft");
    press("ArrowLeft");
    expect(document.activeElement).toBe(buttons[columns]);
  });

  it("has a card on focus, with a run to open, until Escape", () => {
    const { buttons, onopen } = shown();
    buttons[1]?.focus();
    flushSync();

    const card = document.querySelector(".card");
    expect(card?.textContent).toContain("runs lost a record");
    card?.querySelector("button")?.click();
    expect(onopen).toHaveBeenCalledOnce();

    press("Escape");
    expect(document.querySelector(".card")).toBeNull();
  });

  it("names the KIPs above the releases", () => {
    shown();
    const kips = [...document.querySelectorAll(".kips")].map((cell) => cell.textContent);
    expect(kips.slice(0, 2)).toEqual(["", "KIP-101KIP-279"]);
    expect(kips.at(-1)).toContain("KIP-966");
  });

  it("shows the rows near the selected cell first, and all of them if asked", () => {
    shown();
    const rows = () => document.querySelectorAll("tbody tr").length;
    expect(rows()).toBe(settingAxes(summary).length + 1);
    expect(
      [...document.querySelectorAll("tr.chosen th.value")].map((one) => one.textContent),
    ).toContain("all");

    document.querySelector<HTMLButtonElement>(".switch button[aria-pressed=false]")?.click();
    flushSync();

    expect(rows()).toBe(matrixOf(summary).rows.length);
  });
});
