import { screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { render } from "../../language/render-fixture";
import { frameAt, loss } from "../../trace/fixtures";
import Clock from "./Clock.svelte";

const first = frameAt(loss, 0);
const due = [{ kind: "isr_expiration", broker: 1, due_ms: 5000 }] as const;

function show(
  time_ms: number,
  {
    timed,
    timers = due,
    endMs = time_ms,
  }: { timed: boolean; timers?: typeof due | readonly []; endMs?: number },
): HTMLElement {
  const frame = { ...first, state: { ...first.state, time_ms, timers: [...timers] } };
  const { container } = render(Clock, {
    props: {
      frame,
      timed,
      endMs,
      onstep: () => undefined,
      busy: false,
      onmenu: undefined,
    },
  });
  return container;
}

describe("the clock", () => {
  it("shows the time beside the next timers before any time has passed", () => {
    show(0, { timed: false });

    expect(screen.getByText("t = 0.0 s")).toBeVisible();
    expect(screen.getByRole("button", { name: "ISR check of broker 1 in 5.0 s" })).toBeVisible();
  });

  it("shows that no time passes if no timer would let it pass", () => {
    show(0, { timed: false, timers: [] });

    expect(screen.getByText("no time passes")).toBeVisible();
    expect(screen.queryByText("t = 0.0 s")).toBeNull();
  });

  it("has the same room at all times of a run", () => {
    const roomAt = (time: number): string =>
      show(time, { timed: time > 0, endMs: 1_234_000 })
        .querySelector<HTMLElement>(".now")
        ?.style.getPropertyValue("--room") ?? "";

    expect([0, 7, 1_234_000].map(roomAt)).toEqual(["14ch", "14ch", "14ch"]);
  });
});
