import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { keepPlace, restorePlace } from "./place";

beforeEach(() => {
  vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  // The test's document has no keyboard: what has the focus has it by the keyboard.
  const matches = Element.prototype.matches;
  vi.spyOn(Element.prototype, "matches").mockImplementation(function (this: Element, selector) {
    return selector === ":focus-visible"
      ? this === document.activeElement
      : matches.call(this, selector);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  document.body.innerHTML = "";
  history.replaceState(null, "");
});

function leave(html: string, selector: string): unknown {
  document.body.innerHTML = html;
  document.querySelector<HTMLElement>(selector)?.focus();
  keepPlace();
  document.body.innerHTML = "";
  return history.state;
}

const PAGES = [
  ["a cell", '<table><td id="cell:3" tabindex="0">3</td></table>', "td"],
  ["a link", '<a href="/lessons/two-rounds?lang=en">Two rounds</a>', "a"],
] as const;

test.each(PAGES)("after Back, %s has the focus again, once it is there", (_, html, selector) => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame"] });
  const state = leave(html, selector);

  restorePlace(state);
  expect(document.activeElement).toBe(document.body);
  document.body.innerHTML = html;
  vi.advanceTimersToNextFrame();

  expect(document.activeElement).toBe(document.querySelector(selector));
  vi.useRealTimers();
});

test("what has got the focus meanwhile keeps it", () => {
  const html = '<a href="/">Home</a><input>';
  const state = leave(html, "a");
  document.body.innerHTML = html;
  document.querySelector("input")?.focus();

  restorePlace(state);

  expect(document.activeElement).toBe(document.querySelector("input"));
});

test("a place that was kept without a focus restores the height alone", () => {
  document.body.innerHTML = "<p>Text</p>";
  vi.spyOn(document.documentElement, "scrollHeight", "get").mockReturnValue(5000);

  restorePlace({ scroll: 700, focus: null });

  expect(window.scrollTo).toHaveBeenCalledWith(0, 700);
  expect(document.activeElement).toBe(document.body);
});

test("a focus that does not come back does not keep the page from its height", () => {
  const state = leave("<a href='/gone'>Gone</a>", "a") as Record<string, unknown>;
  vi.spyOn(document.documentElement, "scrollHeight", "get").mockReturnValue(5000);

  restorePlace({ ...state, scroll: 700 });

  expect(window.scrollTo).toHaveBeenCalledWith(0, 700);
});
