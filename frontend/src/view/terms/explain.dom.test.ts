import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { explain, explainMarks } from "./explain";

const REST = 200;

function word(): HTMLElement {
  const element = document.createElement("span");
  document.body.append(element);
  explain("Assigned replicas")(element);
  return element;
}

function shown(): string | null | undefined {
  return document.querySelector("[aria-describedby]") === null
    ? null
    : document.querySelector("[role=tooltip]")?.textContent;
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

/** A drawing with a button, a mark on each half of it, and a bar over both of them. */
function drawn(): {
  button: HTMLElement;
  bar: HTMLElement;
  marks: HTMLElement;
  forget: () => void;
} {
  const [around, drawing, button, marks, bar] = ["div", "div", "button", "div", "div"].map((name) =>
    document.createElement(name),
  ) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  drawing.append(button);
  for (const left of [0, 100]) {
    const mark = document.createElement("span");
    mark.tabIndex = -1;
    mark.getBoundingClientRect = () => ({ left, right: left + 50, top: 0, bottom: 20 }) as DOMRect;
    marks.append(mark);
  }
  around.append(drawing, marks, bar);
  document.body.append(around);
  const forget = explainMarks([
    { meaning: "High watermark", above: true },
    { meaning: "In sync", above: false },
  ])(marks) as () => void;
  return { button, bar, marks, forget };
}

function pointAt(
  element: HTMLElement,
  type: string,
  clientX: number,
  more: PointerEventInit = {},
): void {
  element.dispatchEvent(
    new PointerEvent(type, { bubbles: true, pointerType: "mouse", clientX, clientY: 10, ...more }),
  );
}

describe("the explanation of a mark in a drawing", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    document.body.replaceChildren();
  });

  it("appears where a pointer rests on what is below the mark, and goes with it", () => {
    const { button } = drawn();

    pointAt(button, "pointermove", 110);
    vi.advanceTimersByTime(REST);
    expect(shown()).toBe("In sync");
    pointAt(button, "pointermove", 70);
    vi.advanceTimersByTime(REST);

    expect(shown()).toBeNull();
  });

  it("does not appear for what covers the drawing, nor while something is dragged", () => {
    const { button, bar } = drawn();

    pointAt(bar, "pointermove", 10);
    vi.advanceTimersByTime(REST);
    expect(shown()).toBeNull();
    pointAt(button, "pointermove", 10, { buttons: 1 });
    vi.advanceTimersByTime(REST);

    expect(shown()).toBeNull();
  });

  it("leaves a click to what is below, and appears after a tap, until the next press elsewhere", () => {
    const { button } = drawn();
    const clicked = vi.fn();
    button.addEventListener("click", clicked);

    pointAt(button, "pointerdown", 10);
    pointAt(button, "click", 10);
    expect(shown()).toBeNull();
    pointAt(button, "pointerdown", 10, { pointerType: "touch" });
    pointAt(button, "click", 10);
    expect(shown()).toBe("High watermark");
    pointAt(document.body, "pointerdown", 300, { pointerType: "touch" });

    expect(shown()).toBeNull();
    expect(clicked).toHaveBeenCalledTimes(2);
  });

  it("appears for the keyboard, and goes with its mark", () => {
    const { marks, forget } = drawn();

    (marks.children[1] as HTMLElement).focus();
    expect(shown()).toBe("In sync");
    forget();

    expect(shown()).toBeNull();
  });
});
