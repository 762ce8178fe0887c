import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { render } from "../../language/render-fixture";
import { catalogue, loss, storyStep } from "../../trace/fixtures";
import type { Level } from "../../trace/story";
import Embed from "./Embed.svelte";
import { branchOf } from "./fixture";

/** The frames of the loss in steps of two messages. */
const frames = loss.map((frame, at) => ({ ...frame, step: Math.ceil(at / 2) }));
const story = Array.from({ length: 8 }, (_, step) =>
  storyStep(step, step === 0 ? 0 : step * 2 - 1, step * 2),
);

const LINK = "https://a.example/s/7h3k";

function show(startAt = 13, motion = false, level: Level = "story", link: string | null = LINK) {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("reduce") && !motion,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const onstep = vi.fn();
  render(Embed, {
    props: {
      branch: branchOf(frames, story, catalogue),
      startAt,
      level,
      link,
      autoplay: false,
      onstep,
      onplaying: () => undefined,
      onkey: () => undefined,
      onheight: () => undefined,
    },
  });
  return onstep;
}

describe("the embed", () => {
  it("begins at its frame, plays nothing and takes no focus", () => {
    const onstep = show();

    expect(onstep).toHaveBeenLastCalledWith(13);
    expect(screen.getByRole("button", { name: "Play" })).toBeVisible();
    expect(document.activeElement).toBe(document.body);
  });

  it("goes by steps, told by their summaries", async () => {
    const onstep = show(12);
    expect(screen.getByText("Summary 6.")).toBeVisible();

    await fireEvent.click(screen.getByRole("button", { name: "Next step" }));
    expect(onstep).toHaveBeenLastCalledWith(14);
    expect(screen.getByText("Summary 7.")).toBeVisible();

    await fireEvent.keyDown(window, { key: "ArrowLeft" });
    await fireEvent.keyDown(window, { key: "ArrowLeft" });
    expect(onstep).toHaveBeenLastCalledWith(10);
  });

  it("goes by messages with shift, or once it is told to", async () => {
    const onstep = show(10);

    await fireEvent.keyDown(window, { key: "ArrowRight", shiftKey: true });
    expect(onstep).toHaveBeenLastCalledWith(11);

    await fireEvent.click(screen.getByRole("button", { name: "Every message" }));
    await fireEvent.click(screen.getByRole("button", { name: "Previous message" }));
    expect(onstep).toHaveBeenLastCalledWith(10);
    expect(screen.queryByText("Summary 5.")).toBeNull();
  });

  it("lets the messages of a step pass where motion is welcome", async () => {
    vi.useFakeTimers();
    const onstep = show(10, true);

    await fireEvent.click(screen.getByRole("button", { name: "Next step" }));
    expect(onstep).toHaveBeenLastCalledWith(11);

    await vi.advanceTimersByTimeAsync(200);
    expect(onstep).toHaveBeenLastCalledWith(12);
    vi.useRealTimers();
  });

  it("links to the frame it shows", async () => {
    show(12);

    await fireEvent.click(screen.getByRole("button", { name: "Next step" }));

    expect(screen.getByRole("link", { name: "Open" })).toHaveAttribute(
      "href",
      "https://a.example/s/7h3k?frame=14",
    );
  });

  it("links nowhere if its run has no page", () => {
    show(12, false, "story", null);

    expect(screen.getByRole("button", { name: "Play" })).toBeVisible();
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("opens at the level of its address, which its link keeps", async () => {
    show(12, false, "message");
    expect(screen.getByRole("button", { name: "Every message" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    expect(screen.queryByText("Summary 6.")).toBeNull();
    expect(screen.getByRole("link", { name: "Open" })).toHaveAttribute(
      "href",
      "https://a.example/s/7h3k?frame=12&level=message",
    );

    await fireEvent.click(screen.getByRole("button", { name: "Every message" }));

    expect(screen.getByText("Summary 6.")).toBeVisible();
    expect(screen.getByRole("link", { name: "Open" })).toHaveAttribute(
      "href",
      "https://a.example/s/7h3k?frame=12",
    );
  });

  it("names title, version and the step with its message", () => {
    show();

    expect(screen.getByRole("heading", { name: "A record vanishes" })).toBeVisible();
    expect(screen.getByText("Kafka 0.10.2")).toBeVisible();
    expect(screen.getByRole("slider", { name: "Step" })).toHaveAttribute(
      "aria-valuetext",
      "Step 7 of 7: title 7 · message 1 of 2",
    );
  });
});
