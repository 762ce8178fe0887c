import { expect, it } from "vitest";

import { rememberFocus } from "./focus-return";

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
