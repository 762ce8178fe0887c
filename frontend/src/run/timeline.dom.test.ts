import { fireEvent, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "../session/fixtures";
import { render } from "../language/render-fixture";
import { Player } from "../session/player.svelte";
import type { Frame } from "../trace";
import { loss } from "../trace/fixtures";
import StoryTrack from "./StoryTrack.svelte";
import TimelineControls from "./TimelineControls.svelte";

function playerOn(frames: readonly Frame[], at: number): Player {
  return new Player(runOf(frames, { at }));
}

/** The same frames, the last of them at a virtual time. */
function endingAt(ms: number): Frame[] {
  return loss.map((frame, at) => ({
    ...frame,
    state: { ...frame.state, time_ms: at === loss.length - 1 ? ms : 0 },
  }));
}

beforeEach(() => vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here"))));
afterEach(() => vi.unstubAllGlobals());

describe("the clock beside the step number", () => {
  const show = (time: string, about: { stacked?: boolean; ends?: number } = {}) => {
    const { container } = render(TimelineControls, {
      props: {
        player: playerOn(endingAt(about.ends ?? 0), 3),
        shown: new Set<never>(),
        veiled: false,
        horizon: Infinity,
        time,
        stacked: about.stacked ?? false,
        natural: null,
        onshow: () => undefined,
      },
    });
    return container.querySelector<HTMLElement>(".clock");
  };

  it("shows the virtual time", () => {
    show("3.5 s", { ends: 9000 });

    expect(screen.getByText("t = 3.5 s")).toBeVisible();
  });

  it("is missing where no time passes, and where the track shows it", () => {
    expect(show("")).toBeNull();
    expect(show("3.5 s", { stacked: true })).toBeNull();
  });

  it("has room for the longest time of the run from the start", () => {
    expect(show("0.0 s", { ends: 12_345 })?.style.minWidth).toBe(`${"t = 12.345 s".length}ch`);
  });
});

describe("the counts of marks", () => {
  it("are not shown until the story is loaded, but have their room", async () => {
    const run = runOf(loss, { at: 3, session: "7h3k" });
    render(TimelineControls, {
      props: {
        player: new Player(run),
        shown: new Set<never>(),
        veiled: false,
        horizon: Infinity,
        time: "",
        stacked: false,
        natural: null,
        onshow: () => undefined,
      },
    });
    const acknowledgements = () => screen.getByText("acknowledgements", { selector: ".word" });
    const parts = () => [acknowledgements(), screen.getByText("Marks")];
    for (const part of parts()) expect(part).not.toBeVisible();

    const story = [
      {
        step: 7,
        first_frame: 7,
        marks: ["acknowledgement"],
        mark_counts: { acknowledgement: 4 },
        mark_frames: {},
      },
    ];
    run.stories.set(loss.length - 1, story as unknown as Parameters<typeof run.stories.set>[1]);
    await tick();

    for (const part of parts()) expect(part).toBeVisible();
    expect(acknowledgements().closest("button")).toHaveTextContent("4");
  });
});

describe("the buttons of the timeline", () => {
  it.each([
    ["Step back", 1],
    ["Next step", loss.length - 2],
    ["Go to the start", 3],
    ["Go to the end", 3],
  ])("keep the focus: %s, which leads no further", async (name, at) => {
    const player = playerOn(loss, at);
    render(TimelineControls, {
      props: {
        player,
        shown: new Set<never>(),
        veiled: false,
        horizon: Infinity,
        time: "",
        stacked: false,
        natural: null,
        onshow: () => undefined,
      },
    });
    const button = screen.getByRole("button", { name });
    button.focus();

    await fireEvent.click(button);

    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toBeEnabled();
    expect(button).toHaveFocus();
    const { index } = player.run;
    await fireEvent.click(button);
    expect(player.run.index).toBe(index);
  });
});

describe("the track of a hidden page", () => {
  it("draws no step with a negative width", () => {
    const steps = loss.map((frame, at) => ({ ...frame, step: Math.floor(at / 3) }));
    const { container } = render(StoryTrack, {
      props: {
        player: playerOn(steps, 4),
        shown: new Set<never>(),
        horizon: Infinity,
        pointed: null,
        time: "",
      },
    });

    const widths = [...container.querySelectorAll("rect")].map((rect) =>
      Number(rect.getAttribute("width")),
    );
    expect(container.querySelector("rect.open")).not.toBeNull();
    expect(widths.filter((width) => width < 0)).toEqual([]);
  });
});
