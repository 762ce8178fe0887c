import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { explain } from "./explain";

const REST = 200;

function word(): HTMLElement {
  const element = document.createElement("span");
  document.body.append(element);
  explain("Assigned replicas")(element);
  return element;
}

function shown(): string | null | undefined {
  return document.querySelector("[aria-describedby]") === null ? null : document.querySelector("[role=tooltip]")?.textContent;
}

function point(element: HTMLElement, type: string, pointerType = "mouse"): void {
  element.dispatchEvent(new PointerEvent(type, { pointerType }));
}

describe("the explanation of a word", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    document.body.replaceChildren();
  });

  it("appears where a pointer rests", () => {
    const element = word();

    point(element, "pointermove");
    expect(shown()).toBeNull();
    vi.advanceTimersByTime(REST);

    expect(shown()).toBe("Assigned replicas");
  });

  it("does not appear over what is below a word that a pointer passes, or that is scrolled under it", () => {
    const element = word();

    point(element, "pointerenter");
    vi.advanceTimersByTime(REST);
    expect(shown()).toBeNull();
    point(element, "pointermove");
    point(element, "pointerleave");
    vi.advanceTimersByTime(REST);

    expect(shown()).toBeNull();
  });

  it("appears immediately for the keyboard and for a tap", () => {
    const element = word();

    point(element, "pointermove", "touch");
    vi.advanceTimersByTime(REST);
    expect(shown()).toBeNull();
    element.dispatchEvent(new Event("click"));

    expect(shown()).toBe("Assigned replicas");
  });
});
