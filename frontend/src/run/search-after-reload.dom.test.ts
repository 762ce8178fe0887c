import { cleanup, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { savedSearch, saveSearch } from "../search/saved-search";
import { runOf } from "../session/fixtures";
import { loss } from "../trace/fixtures";
import "./RunDialogs.svelte";
import { renderRunPage } from "./run-page-fixture";

const SESSION = "7h3k";

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("opens the search that ran before a reload, at the frame where it started", async () => {
  const run = runOf(loss, { session: SESSION });
  run.goTo(5);
  saveSearch(SESSION, { preset: "zombie", question: { after: 3, property: "StrongIsr" } });

  renderRunPage(run);

  expect(await screen.findByText("Cancel")).toBeInTheDocument();
  expect(run.at).toBe(3);
});

it.each([null, { preset: "zombie" }, { preset: "none", question: { after: 3 } }, "{"])(
  "ignores what is no search: %j",
  (stored) => {
    sessionStorage.setItem(`highwater-search-${SESSION}`, JSON.stringify(stored));

    expect(savedSearch(SESSION)).toBeNull();
  },
);
