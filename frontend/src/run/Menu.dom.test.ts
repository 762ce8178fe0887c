import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { render } from "../language/render-fixture";
import { catalogue } from "../trace/fixtures";
import Menu from "./Menu.svelte";

const at = { x: 0, y: 0 };
const crash = {
  step: { crash: { broker: 1 } },
  actor: "1",
  enabled: true,
  rank: 12,
  row: 7,
  reason: null,
  reason_code: null,
  reason_numbers: {},
};
const props = {
  at,
  catalogue,
  onact: () => undefined,
  onclose: () => undefined,
};

describe("the menu of a thing", () => {
  it("moves the focus to the first action, also where the actions come later", async () => {
    const { rerender } = render(Menu, { props: { ...props, choices: [] } });
    expect(screen.getByRole("menu")).toHaveFocus();

    await rerender({ choices: [crash] });

    expect(screen.getByRole("menuitem")).toHaveFocus();
  });

  it("shows the reasons for impossible actions below the possible ones", () => {
    const refused = {
      ...crash,
      step: { start: { broker: 1 } },
      enabled: false,
      reason: "broker 1 is running already",
    };
    render(Menu, { props: { ...props, choices: [refused, crash] } });

    const items = screen.getAllByRole("menuitem");
    expect(items[0]).toHaveTextContent("crash");
    expect(items[1]).toHaveAttribute("aria-disabled", "true");
    expect(items[1]).toHaveTextContent("broker 1 is running already");
  });

  it("moves by arrow keys through all actions, so that the reasons of impossible ones are read too", async () => {
    const refused = {
      ...crash,
      step: { start: { broker: 1 } },
      enabled: false,
      reason: "broker 1 is running already",
    };
    const onact = vi.fn();
    const onclose = vi.fn();
    render(Menu, { props: { ...props, choices: [refused, crash], onact, onclose } });
    const [possible, impossible] = screen.getAllByRole("menuitem");
    const press = (key: string) =>
      fireEvent.keyDown(document.activeElement ?? document.body, { key });

    await press("ArrowDown");
    expect(impossible).toHaveFocus();
    await press("Enter");
    expect(onact).not.toHaveBeenCalled();
    expect(onclose).not.toHaveBeenCalled();
    await press("ArrowDown");
    expect(possible).toHaveFocus();
    await press("ArrowUp");
    expect(impossible).toHaveFocus();
    await press("Home");
    expect(possible).toHaveFocus();
    await press("End");
    expect(impossible).toHaveFocus();
  });

  it("moves the focus to the reason where nothing is possible", () => {
    render(Menu, {
      props: {
        ...props,
        choices: [{ ...crash, enabled: false, reason: "broker 1 is down already" }],
      },
    });

    expect(screen.getByRole("menuitem")).toHaveFocus();
  });

  it("begins with the moments of a record, which it goes to", async () => {
    const went: number[] = [];
    const moments = [{ what: "recordLost" as const, value: "m2", frame: 9 }];
    render(Menu, {
      props: {
        ...props,
        choices: [crash],
        moments,
        stepOf: (frame: number) => frame - 5,
        ongo: (frame: number) => went.push(frame),
      },
    });

    const items = screen.getAllByRole("menuitem");
    expect(items.map((item) => item.textContent)).toEqual([
      "Step 4: m2 is lost",
      expect.stringContaining("rash"),
    ]);
    items[0]?.click();

    expect(went).toEqual([9]);
  });
});
