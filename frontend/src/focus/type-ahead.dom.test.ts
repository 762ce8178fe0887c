import { fireEvent, screen } from "@testing-library/svelte";
import { afterEach, expect, it } from "vitest";

import { typeAhead } from "./type-ahead";

afterEach(() => document.body.replaceChildren());

function opener(): HTMLButtonElement {
  const made = document.body.appendChild(document.createElement("button"));
  made.focus();
  return made;
}

it("has the focus at once, and gives it back with what was typed", async () => {
  const before = opener();

  const end = typeAhead("Search", "hig");
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Search" });
  expect(field).toHaveFocus();
  field.value += "h";

  expect(await end()).toBe("high");
  expect(before).toHaveFocus();
  expect(field).not.toBeInTheDocument();
});

it("waits for a word that is being composed", async () => {
  const end = typeAhead("Search");
  const field = screen.getByRole<HTMLInputElement>("textbox");
  await fireEvent.compositionStart(field);
  field.value = "gao";

  const typed = end();
  await Promise.resolve();
  field.value = "高";
  await fireEvent.compositionEnd(field);

  expect(await typed).toBe("高");
});

it("ends with Escape", async () => {
  const before = opener();
  const end = typeAhead("Search");

  await fireEvent.keyDown(screen.getByRole("textbox"), { key: "Escape" });

  expect(before).toHaveFocus();
  expect(await end()).toBeNull();
});
