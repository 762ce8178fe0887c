import { afterEach, describe, expect, it } from "vitest";

import { press, type Keymap } from "./keys";

function keymap() {
  const did: string[] = [];
  const map: Keymap = {
    always: { z: () => did.push("z") },
    offControls: { " ": () => did.push("space") },
    digit: (digit) => did.push(`broker ${digit}`),
    escape: () => did.push("escape"),
    before: (key) => did.push(`before ${key}`),
  };
  return { did, map };
}

function keyOn(element: HTMLElement, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  document.body.append(element);
  const event = new KeyboardEvent("keydown", { key, cancelable: true, ...more });
  element.dispatchEvent(event);
  return event;
}

describe("the keys of a page", () => {
  afterEach(() => document.body.replaceChildren());

  it("do what they stand for, after what comes before each", () => {
    const { did, map } = keymap();
    press(keyOn(document.createElement("div"), "z"), map);
    press(keyOn(document.createElement("div"), "3"), map);
    expect(did).toEqual(["before z", "z", "before 3", "broker 3"]);
  });

  it("are left to a control that has used them, such as a row of tabs", () => {
    const { did, map } = keymap();
    const tab = document.createElement("button");
    tab.addEventListener("keydown", (event) => event.preventDefault());
    press(keyOn(tab, "z"), map);
    expect(did).toEqual([]);
  });

  it("are typed in a field, which keeps the focus", () => {
    const { did, map } = keymap();
    const field = document.createElement("input");
    const typed = keyOn(field, "z");
    press(typed, map);
    field.focus();
    const escape = new KeyboardEvent("keydown", { key: "Escape", cancelable: true });
    field.dispatchEvent(escape);
    press(escape, map);
    expect(did).toEqual([]);
    expect(typed.defaultPrevented).toBe(false);
    expect(field).toHaveFocus();
  });

  it("leave a button's own keys to the button, and the browser's to the browser", () => {
    const { did, map } = keymap();
    press(keyOn(document.createElement("button"), " "), map);
    press(keyOn(document.createElement("div"), "z", { ctrlKey: true }), map);
    press(keyOn(document.createElement("div"), "q"), map);
    expect(did).toEqual([]);
  });
});
