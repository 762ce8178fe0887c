import { afterEach, describe, expect, it, vi } from "vitest";

import { channels, hostTheme } from "./host-theme";

afterEach(() => {
  for (const element of [document.documentElement, document.body])
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  document.body.replaceChildren();
});

function inside(html: string): Element {
  document.body.innerHTML = html;
  return document.querySelector("#here") ?? document.body;
}

describe("the theme of the page around", () => {
  it.each([
    ["data-theme", "dark", "dark"],
    ["data-theme", "light", "light"],
    ["data-md-color-scheme", "slate", "dark"],
    ["data-bs-theme", "dark", "dark"],
    ["data-color-mode", "light", "light"],
    ["class", "no-js theme-dark", "dark"],
    ["class", "dark", "dark"],
    ["class", "light-mode", "light"],
  ])("is what its %s=%s says", (name, value, theme) => {
    for (const element of [document.documentElement, document.body]) {
      element.setAttribute(name, value);
      expect(hostTheme(inside(""))).toBe(theme);
      element.removeAttribute(name);
    }
  });

  it.each([
    ["rgb(255, 255, 255)", "light"],
    ["rgb(20 22 30)", "dark"],
    ["rgba(255, 255, 255, 0.1)", "light"],
  ])("is, where it says nothing, that of the background %s", (background, theme) => {
    document.body.setAttribute("style", `background-color: ${background}`);
    document.body.dataset.theme = "auto";

    expect(hostTheme(inside("<p><b id='here'></b></p>"))).toBe(theme);
  });

  it("is that of what stands nearest behind", () => {
    document.body.setAttribute("style", "background-color: rgb(255 255 255)");

    expect(
      hostTheme(inside("<p style='background-color: rgb(16 20 24)'><b id='here'></b></p>")),
    ).toBe("dark");
  });

  it("is light where nothing has a background, unless the page says that it can be dark", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    expect(hostTheme(inside(""))).toBe("light");

    document.documentElement.setAttribute("style", "color-scheme: light dark");
    expect(hostTheme(inside(""))).toBe("dark");
    vi.unstubAllGlobals();
  });

  it("is not taken for the word in another word", () => {
    document.body.className = "darkroom highlight";
    document.body.setAttribute("style", "background-color: rgb(255 255 255)");

    expect(hostTheme(inside(""))).toBe("light");
  });
});

describe("a computed colour", () => {
  it.each([
    ["rgb(255, 0, 51)", [1, 0, 0.2]],
    ["rgba(0, 0, 0, 0)", null],
    ["color(srgb 0.5 0.25 1)", [0.5, 0.25, 1]],
    ["oklch(0.2 0.05 250)", [0.2, 0.2, 0.2]],
    ["lab(90 1 2)", [0.9, 0.9, 0.9]],
    ["", null],
  ])("%s is read", (colour, found) => {
    expect(channels(colour)).toEqual(found);
  });
});
