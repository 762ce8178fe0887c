import { fireEvent, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { renderIn } from "../../language/render-fixture";
import Throwing from "./Throwing.svelte";

const NONE: ReadonlySet<number> = new Set();

function show(number: number, bad: ReadonlySet<number>, lang: "en" | "zh" = "en") {
  return renderIn(lang)(Throwing, { props: { number, bad } });
}

describe("a panel that cannot be drawn", () => {
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

  it("says so in its place, and what stands around it lives on", async () => {
    const shown = show(1, new Set([1]));

    expect(screen.getByRole("alert")).toHaveTextContent("Cannot show the explanation of this step");
    expect(screen.getByRole("alert")).toHaveTextContent("cannot draw 1");
    expect(screen.getByText("after 1")).toBeVisible();
    await shown.rerender({ number: 1, bad: NONE });
    expect(screen.getByText("before 1")).toBeVisible();
  });

  it("fails just so when it was drawn before, and comes back with the next step", async () => {
    const shown = show(1, new Set([2]));
    expect(screen.getByText("drawn 1")).toBeVisible();

    await shown.rerender({ number: 2 });
    expect(screen.getByRole("alert")).toBeVisible();
    expect(screen.getByText("after 2")).toBeVisible();

    await shown.rerender({ number: 3 });
    expect(screen.getByText("drawn 3")).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is drawn again when a person asks for it", async () => {
    const shown = show(1, new Set([1]));
    await shown.rerender({ bad: NONE });
    expect(screen.queryByText("drawn 1")).toBeNull();

    await fireEvent.click(screen.getByRole("button", { name: "Try again" }));

    expect(screen.getByText("drawn 1")).toBeVisible();
  });

  it("says it in Chinese", () => {
    show(1, new Set([1]), "zh");

    expect(screen.getByRole("alert")).toHaveTextContent("这一步的说明无法显示");
    expect(screen.getByRole("button", { name: "重试" })).toBeVisible();
  });
});
