import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { catalogue, loss } from "../../trace/fixtures";
import Embed from "./Embed.svelte";

function show() {
  const onstep = vi.fn();
  render(Embed, {
    props: { frames: loss, title: "A record vanishes", catalogue, lang: "en", startAt: 13, link: "https://a.example/s/7h3k", autoplay: false, onstep, onplaying: () => undefined, onheight: () => undefined },
  });
  return onstep;
}

describe("the embed", () => {
  it("begins at its step, plays nothing and takes no focus", () => {
    const onstep = show();

    expect(onstep).toHaveBeenLastCalledWith(13, loss[13]);
    expect(screen.getByRole("button", { name: "Play" })).toBeVisible();
    expect(document.activeElement).toBe(document.body);
  });

  it("steps by its buttons and by the arrow keys", async () => {
    const onstep = show();

    await fireEvent.click(screen.getByRole("button", { name: "Previous step" }));
    expect(onstep).toHaveBeenLastCalledWith(12, loss[12]);
    await fireEvent.keyDown(window, { key: "Home" });
    expect(onstep).toHaveBeenLastCalledWith(0, loss[0]);
  });

  it("links to the step it shows", async () => {
    show();

    await fireEvent.click(screen.getByRole("button", { name: "Next step" }));

    expect(screen.getByRole("link", { name: "Open" })).toHaveAttribute("href", "https://a.example/s/7h3k?step=14");
  });

  it("has one slider whose value is said as a step", () => {
    show();

    expect(screen.getByRole("slider", { name: "Step" })).toHaveAttribute("aria-valuetext", "Step 13 of 14");
  });
});
