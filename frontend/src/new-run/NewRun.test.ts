import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { UiSettings } from "../site/ui-settings";
import NewRun from "./NewRun.svelte";

const dress: UiSettings = { lang: "en", theme: "auto", onlang: () => undefined, ontheme: () => undefined };

/** Answers by address; everything else is not there. Gives the bodies that are sent. */
function serve(answers: Readonly<Record<string, () => Response>>): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (address: string, { method = "GET", body }: RequestInit = {}) => {
    if (typeof body === "string") sent.push(JSON.parse(body));
    return Promise.resolve(answers[`${method} ${address}`]?.() ?? json({ code: "not_found" }, 404));
  });
  return sent;
}

function json(document: unknown, status = 200): Response {
  return new Response(JSON.stringify(document), { status });
}

const problem = {
  status: 422,
  code: "invalid_scenario",
  detail: "The scenario has mistakes.",
  errors: [{ where: "/scenario_text/steps/0/crash/broker", message: "there is no broker 9; brokers are 1, 2", line: 3, column: 21 }],
};

function field(): HTMLTextAreaElement {
  return screen.getByRole("textbox");
}

describe("a new run", () => {
  beforeEach(() => void serve({}));
  afterEach(() => vi.unstubAllGlobals());

  it("hands the text to the service as it stands, YAML too", async () => {
    const sent = serve({ "POST /api/v1/sessions": () => json({ id: "abc", owner_key: "k", words: { title: { en: "Mine", zh: "我的" } } }, 201) });
    const onstart = vi.fn();
    render(NewRun, { props: { dress, onstart } });

    await fireEvent.input(field(), { target: { value: "id: mine\nsteps: []\n" } });
    await fireEvent.click(screen.getByRole("button", { name: "Run it" }));

    await vi.waitFor(() => expect(onstart).toHaveBeenCalledWith("abc"));
    expect(sent).toEqual([{ scenario_text: "id: mine\nsteps: []\n", owned: true }]);
  });

  it("shows what is wrong at its line, and goes there", async () => {
    serve({ "POST /api/v1/sessions": () => json(problem, 422) });
    render(NewRun, { props: { dress, onstart: () => undefined } });
    await fireEvent.input(field(), { target: { value: "id: mine\nsteps:\n  - crash: {broker: 9}\n" } });

    await fireEvent.click(screen.getByRole("button", { name: "Run it" }));

    const place = await screen.findByRole("button", { name: "line 3, column 21" });
    expect(screen.getByRole("alert")).toHaveTextContent("1 error to fix");
    expect(screen.getByRole("alert")).toHaveTextContent("/steps/0/crash/broker there is no broker 9; brokers are 1, 2");
    expect(screen.getByText("✖ 3")).toBeInTheDocument();
    await fireEvent.click(place);
    expect(field().value.slice(field().selectionStart, field().selectionEnd)).toBe("9}");
  });

  it("says so when a shipped scenario cannot be had, and leaves the text as it is", async () => {
    serve({
      "GET /api/v1/scenarios": () => json({ scenarios: [{ id: "s1", title: { en: "One", zh: "一" } }] }),
      "GET /api/v1/scenarios/s1": () => json({ status: 500, code: "internal", detail: "Something broke.", errors: [] }, 500),
    });
    render(NewRun, { props: { dress, onstart: () => undefined } });
    await screen.findByRole("option", { name: "One" });
    const before = field().value;

    await fireEvent.change(screen.getByRole("combobox", { name: "Start with" }), { target: { value: "s1" } });

    expect(await screen.findByRole("alert")).toHaveTextContent("Something broke.");
    expect(field().value).toBe(before);
  });
});
