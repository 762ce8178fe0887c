import { fireEvent, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";

import { render } from "../language/render-fixture";
import { api } from "../service/api";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import FindDialog from "./FindDialog.svelte";

beforeEach(() => {
  // The test's document has no dialogs.
  Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined });
  vi.spyOn(api, "readSearchableFaults").mockResolvedValue([]);
  vi.stubGlobal(
    "fetch",
    (_: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(new Error("aborted"))),
      ),
  );
  render(FindDialog, {
    props: {
      session: "7h3k",
      frame: frameAt(loss, 3),
      catalogue,
      onwatch: () => undefined,
      onclose: () => undefined,
    },
  });
});

it("keeps the focus on the button that starts and cancels the search", async () => {
  const button = screen.getByRole("button", { name: "Search", hidden: true });
  button.focus();

  await fireEvent.click(button);
  expect(await screen.findByRole("button", { name: "Cancel", hidden: true })).toHaveFocus();
  await fireEvent.click(button);

  expect(await screen.findByText(/^Cancelled/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Search", hidden: true })).toHaveFocus();
});

it("moves the focus there if the search is started from a field", async () => {
  const field = document.querySelector("input") as HTMLInputElement;
  field.focus();

  await fireEvent.submit(field.form as HTMLFormElement);

  expect(await screen.findByRole("button", { name: "Cancel", hidden: true })).toHaveFocus();
});
