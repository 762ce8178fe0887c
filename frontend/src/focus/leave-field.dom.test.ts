import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { leavesBy } from "./leave-field";

let before: HTMLButtonElement;
let field: HTMLInputElement;
const elsewhere = vi.fn();

beforeEach(() => {
  elsewhere.mockClear();
  before = document.createElement("button");
  field = document.createElement("input");
  document.body.append(before, field);
  leavesBy(["Enter", "Escape"], elsewhere)(field);
});
afterEach(() => document.body.replaceChildren());

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true, ...more });
  field.dispatchEvent(event);
  return event;
}

describe("a field that the keyboard leaves", () => {
  it.each(["Enter", "Escape"])(
    "returns the focus with %s to what had it before, which does not use the key",
    (key) => {
      before.focus();
      field.focus();

      expect(press(key).defaultPrevented).toBe(true);

      expect(before).toHaveFocus();
      expect(elsewhere).not.toHaveBeenCalled();
    },
  );

  it("passes the focus on if nothing had it before, or if that has disappeared", () => {
    field.focus();
    press("Escape");
    expect(elsewhere).toHaveBeenCalledTimes(1);

    field.blur();
    before.focus();
    field.focus();
    before.remove();
    press("Escape");
    expect(elsewhere).toHaveBeenCalledTimes(2);
  });

  it("keeps the focus with other keys, and while a word is composed", () => {
    before.focus();
    field.focus();

    press("3");
    press("Enter", { isComposing: true });

    expect(field).toHaveFocus();
  });
});
