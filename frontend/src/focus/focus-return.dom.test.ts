import { afterEach, expect, it } from "vitest";

import { rememberFocus } from "./focus-return";

afterEach(() => document.body.replaceChildren());

it.each([
  ["an element of the page", () => document.createElement("button")],
  ["a shape of a drawing", () => document.createElementNS("http://www.w3.org/2000/svg", "rect")],
])("returns the focus to %s", (_, create) => {
  const before = create();
  before.setAttribute("tabindex", "0");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  (before instanceof SVGElement ? svg : document.body).append(before);
  const other = document.createElement("button");
  document.body.append(svg, other);
  before.focus();

  const returnFocus = rememberFocus();
  other.focus();
  expect(document.activeElement).toBe(other);
  returnFocus();

  expect(document.activeElement).toBe(before);
});

it("returns the focus to what has taken the element's place", () => {
  const before = document.createElement("button");
  before.id = "versions";
  document.body.append(before);
  before.focus();

  const returnFocus = rememberFocus();
  const after = document.createElement("button");
  after.id = "versions";
  before.replaceWith(after);
  returnFocus();

  expect(document.activeElement).toBe(after);
});
