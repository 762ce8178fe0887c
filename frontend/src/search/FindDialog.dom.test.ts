import { cleanup, fireEvent, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";

import { render } from "../language/render-fixture";
import { api } from "../service/api";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import FindDialog from "./FindDialog.svelte";
import { searchResult } from "./result-fixture";

let asked: { method: string; address: string; body: unknown }[];
let send: (event: string, data: unknown) => void;
let end: () => void;

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(api, "readSearchableFaults").mockResolvedValue([]);
  asked = [];
  vi.stubGlobal("fetch", (address: string, { method, body, signal }: RequestInit) => {
    asked.push({
      method: method ?? "GET",
      address,
      body: typeof body === "string" ? JSON.parse(body) : null,
    });
    if (method === "DELETE") return Promise.resolve(new Response(null, { status: 204 }));
    const events = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        send = (event, data) =>
          controller.enqueue(
            new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
          );
        end = () => controller.close();
        signal?.addEventListener("abort", () => controller.error(new Error("aborted")));
      },
    });
    return Promise.resolve(new Response(events, { status: 200 }));
  });
});

function open(): void {
  render(FindDialog, {
    props: {
      session: "7h3k",
      begin: () => Promise.resolve("7h3k"),
      start: { kafka: "0.10.2", frame: frameAt(loss, 3) },
      catalogue,
      onwatch: () => undefined,
      onclose: () => undefined,
    },
  });
}

it("asks for the same search again after a reload, and forgets it with its result", async () => {
  open();
  await fireEvent.click(screen.getByLabelText(/^With one power loss/));
  await fireEvent.click(screen.getByRole("button", { name: "Search", hidden: true }));
  const kept = { ...sessionStorage };

  cleanup();
  Object.assign(sessionStorage, kept);
  open();
  send("result", searchResult({ verdict: "violated", limit: null }));
  await screen.findByText("This has already happened at this step.");

  const [before, after] = asked.filter(({ method }) => method === "POST");
  expect(after).toEqual(before);
  expect(screen.getByLabelText(/^With one power loss/)).toBeChecked();
  expect(sessionStorage).toHaveLength(0);
});

it("asks after a reload only for what has no result yet, and shows what has one", async () => {
  open();
  await fireEvent.click(screen.getByRole("button", { name: "Search", hidden: true }));
  send("result", searchResult({ verdict: "none_within_bound", complete: true, limit: null }));
  await screen.findByText(/it examined all of them/);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const kept = { ...sessionStorage };

  cleanup();
  Object.assign(sessionStorage, kept);
  open();

  expect(await screen.findByText(/it examined all of them/)).toBeInTheDocument();
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[2]).toEqual(asked[1]);
});

it("keeps the search if the connection ends, and forgets it when the dialog is closed", async () => {
  open();
  await fireEvent.click(screen.getByRole("button", { name: "Search", hidden: true }));
  end();
  await screen.findByText("It broke off before its result. Try again.");
  expect(sessionStorage).toHaveLength(1);

  cleanup();
  expect(sessionStorage).toHaveLength(0);
});

it("shows what a cancelled search has examined", async () => {
  open();
  const button = screen.getByRole("button", { name: "Search", hidden: true });
  await fireEvent.click(button);
  send("started", { id: "ab" });
  send("progress", { depth: 2, states: 12, transitions: 30, seconds: 1 });
  await screen.findByText(/12 states/);

  await fireEvent.click(button);
  expect(asked.at(-1)).toMatchObject({
    method: "DELETE",
    address: "/api/v1/sessions/7h3k/searches/ab",
  });
  send("result", searchResult({ limit: "interrupt" }));

  expect(await screen.findByText(/^Cancelled/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Search", hidden: true })).toHaveFocus();
});

it("keeps the focus on the button that starts and cancels the search", async () => {
  open();
  const button = screen.getByRole("button", { name: "Search", hidden: true });
  button.focus();

  await fireEvent.click(button);
  expect(await screen.findByRole("button", { name: "Cancel", hidden: true })).toHaveFocus();
  await fireEvent.click(button);

  expect(await screen.findByText(/^Cancelled/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Search", hidden: true })).toHaveFocus();
});

it("moves the focus there if the search is started from a field", async () => {
  open();
  const field = document.querySelector("input") as HTMLInputElement;
  field.focus();

  await fireEvent.submit(field.form as HTMLFormElement);

  expect(await screen.findByRole("button", { name: "Cancel", hidden: true })).toHaveFocus();
});
