import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { keepFocus } from "./keep-focus";

let group: HTMLElement;
let end: (() => void) | undefined;

function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll("button")].find((one) => one.textContent === name);
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
}

/** After the observer's callbacks. */
function rest(): Promise<void> {
  return new Promise((rested) => setTimeout(rested, 5));
}

function focused(): string | null {
  return document.activeElement === document.body
    ? null
    : (document.activeElement?.textContent ?? null);
}

function watch(onlost?: () => void): void {
  end = keepFocus(onlost)(group) ?? undefined;
}

beforeEach(() => {
  document.body.innerHTML =
    "<main><div><button>Filter</button><ul><li><button>A</button></li><li><button>B</button></li><li><button>C</button></li></ul></div></main>";
  group = document.querySelector("div") as HTMLElement;
});
afterEach(() => end?.());

describe("the focus of a control that disappears", () => {
  it.each([
    ["A", "B"],
    ["B", "C"],
    ["C", "B"],
  ])("goes from %s to the control in its place, %s", async (gone, next) => {
    watch();
    button(gone).focus();

    button(gone).closest("li")?.remove();
    await rest();

    expect(focused()).toBe(next);
  });

  it("goes to the group if its whole list disappears, which can be focused only then", async () => {
    watch();
    button("B").focus();

    group.querySelector("ul")?.remove();
    await rest();

    expect(document.activeElement).toBe(group);
    button("Filter").focus();
    expect(group).not.toHaveAttribute("tabindex");
  });

  it("stays on a control that is moved", async () => {
    watch();
    const moved = button("A");
    moved.focus();

    moved.remove();
    group.append(moved);
    await rest();

    expect(focused()).toBe("A");
  });

  it("is handed on if the group itself disappears", async () => {
    const onlost = vi.fn();
    watch(onlost);
    button("B").focus();

    group.remove();
    end?.();
    end = undefined;
    await rest();

    expect(onlost).toHaveBeenCalledOnce();
  });

  it("is not taken from another control, nor given back after it was left", async () => {
    watch();
    button("B").focus();
    button("Filter").focus();
    button("B").closest("li")?.remove();
    await rest();
    expect(focused()).toBe("Filter");

    button("A").focus();
    button("A").blur();
    await rest();
    button("A").closest("li")?.remove();
    await rest();
    expect(focused()).toBeNull();
  });

  it("goes nowhere if it is that of a click", async () => {
    watch();
    const clicked = button("B");
    vi.spyOn(clicked, "matches").mockReturnValue(false);
    clicked.focus();

    clicked.closest("li")?.remove();
    await rest();

    expect(focused()).toBeNull();
  });
});
