import { fireEvent, screen, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import type { Kind } from "../service/assessments";
import { cell, kind, page, PAYMENTS } from "./page-fixture";
import VerdictTable from "./VerdictTable.svelte";

const MANY = Array.from({ length: 20_000 }, (_, number) => `orders-${String(number)}`);
const ALIKE = kind(MANY, { crash: cell("writes_stop") });

function shown(lang = "en", kinds: readonly Kind[] = [PAYMENTS, ALIKE]) {
  const onwatch = vi.fn();
  const onselect = vi.fn();
  const { kinds: listed } = page(kinds);
  renderIn(lang)(VerdictTable, { props: { kinds: listed, selected: null, onselect, onwatch } });
  return { onwatch, onselect };
}

const focused = (): string => document.activeElement?.getAttribute("aria-label") ?? "";

describe("the table of verdicts", () => {
  it("reads a cell as a sentence", () => {
    shown();

    expect(
      screen.getByRole("gridcell", {
        name: "payments-3, one broker loses power: can be lost, if 1’s host does",
      }),
    ).toBeVisible();
    expect(
      screen.getByRole("gridcell", {
        name: "payments-3, leader cut off from controller: does not apply, no leader",
      }),
    ).toHaveTextContent("no leader");
  });

  it("reads it in Chinese without English punctuation", () => {
    shown("zh");

    expect(
      screen.getByRole("gridcell", {
        name: "payments-3，一个 broker断电：可能丢失，if 1’s host does",
      }),
    ).toBeVisible();
  });

  it("is one tab stop, from which the arrow keys go to every cell", async () => {
    const { onwatch, onselect } = shown();
    const grid = screen.getByRole("grid");
    expect(grid.querySelectorAll("[tabindex='0']")).toHaveLength(1);
    const [first] = within(grid).getAllByRole("gridcell", { name: /loses power/ });
    first?.focus();

    await fireEvent.keyDown(document.activeElement as Element, { key: "ArrowRight" });
    expect(focused()).toContain("payments-3, one disk is lost");
    await fireEvent.keyDown(document.activeElement as Element, { key: "ArrowDown" });
    expect(focused()).toContain("orders-0, one disk is lost");
    await fireEvent.keyDown(document.activeElement as Element, { key: "Home" });
    expect(focused()).toContain("orders-0: ISR 3 of 3 · min 2");
    await fireEvent.keyDown(document.activeElement as Element, { key: "ArrowUp" });
    await fireEvent.keyDown(document.activeElement as Element, { key: "End" });
    expect(focused()).toContain("payments-3, unclean election by hand");
    expect(grid.querySelectorAll("[tabindex='0']")).toHaveLength(1);
    expect(onselect).toHaveBeenLastCalledWith(PAYMENTS);

    await fireEvent.keyDown(document.activeElement as Element, { key: "Enter" });
    expect(onwatch).toHaveBeenCalledWith(PAYMENTS, "unclean_election");
  });

  it("watches nothing where there is no run", async () => {
    const { onwatch } = shown();
    const none = screen.getByRole("gridcell", { name: /payments-3, leader cut off/ });
    none.focus();

    await fireEvent.keyDown(none, { key: "Enter" });

    expect(onwatch).not.toHaveBeenCalled();
  });

  it("shows the reason, the rule and its source where the focus is, until Escape", async () => {
    shown();
    screen.getByRole("gridcell", { name: /payments-3, one broker loses power/ }).focus();

    expect(await screen.findByText("ELECTION-CLEAN")).toBeVisible();
    expect(screen.getByText(/KIP-966/)).toBeVisible();
    await fireEvent.keyDown(window, { key: "Escape" });
    expect(screen.queryByText("ELECTION-CLEAN")).toBeNull();
  });

  it("folds alike partitions, and draws only the unfolded names in view", async () => {
    shown();
    const head = screen.getByRole("rowheader", { name: /orders-0/ });
    expect(head).toHaveTextContent("orders-1, -2, -3 and 19,996 more");

    await fireEvent.keyDown(head, { key: "Enter" });

    expect(head).toHaveAttribute("aria-expanded", "true");
    const names = screen.getByRole("group", { name: "19,999 partitions like orders-0" });
    expect(names.querySelectorAll("li").length).toBeLessThan(100);
    await fireEvent.input(screen.getByRole("searchbox"), { target: { value: "orders-19998" } });
    expect(within(names).getByText("orders-19998")).toBeInTheDocument();
  });

  it("shows a bar, and no verdict, for a cell that is not computed yet", () => {
    const waiting = kind(["audit-0"], { crash: cell(null, { steps: null, reason: {} }) });
    shown("en", [waiting]);

    const pending = screen.getByRole("gridcell", {
      name: "audit-0, one broker crashes: not computed yet",
    });
    expect(pending).toHaveTextContent("");
  });
});
