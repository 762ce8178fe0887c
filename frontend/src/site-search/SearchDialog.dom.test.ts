import { cleanup, fireEvent, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { renderIn } from "../language/render-fixture";
import { keepRelease } from "../learning/release";
import { api, type FoundEntry, type SiteSearchResult } from "../service/api";
import SearchDialog from "./SearchDialog.svelte";
import SiteSearch from "./SiteSearch.svelte";

const copy = vi.hoisted(() => ({ isStatic: false }));

vi.mock(import("../addresses"), async (original) => ({
  ...(await original()),
  get isStatic() {
    return copy.isStatic;
  },
}));

const HIT: FoundEntry = {
  kind: "error",
  id: "NOT_ENOUGH_REPLICAS",
  title: "NOT_ENOUGH_REPLICAS",
  text: "The ISR is too small.",
  lang: "en",
  address: "/lessons/not-enough-replicas?step=1",
  sign: "19",
  holds: null,
  picture: null,
};
const LESSON: FoundEntry = {
  ...HIT,
  kind: "lesson",
  id: "not-enough-replicas",
  title: "Not enough replicas",
  address: "/lessons/not-enough-replicas",
  sign: null,
};
const FOUND: SiteSearchResult = {
  total: 6,
  kinds: [
    { kind: "error", count: 1 },
    { kind: "lesson", count: 5 },
  ],
  versions: ["0.10.2", "4.4"],
  hits: [HIT, LESSON],
  also: ["min.insync.replicas"],
  corrected: [],
  marks: ["not enough replicas"],
  nearest: [],
};
const NOTHING: SiteSearchResult = {
  ...FOUND,
  total: 0,
  kinds: [],
  hits: [],
  also: [],
  nearest: [{ ...LESSON, title: "high watermark", address: "/glossary#high-watermark" }],
};

function show(result: SiteSearchResult, lang = "en") {
  const search = vi.spyOn(api, "search").mockResolvedValue(result);
  const onclose = vi.fn();
  renderIn(lang)(SearchDialog, { props: { words: "replicas", onclose } });
  return { search, onclose, field: screen.getByRole("combobox") };
}

const chosen = (field: HTMLElement): string =>
  document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent ?? "";

it("does not ask a copy of the site, which asks the reader first, while somebody is typing", async () => {
  vi.useFakeTimers();
  copy.isStatic = true;
  const { search, field } = show(FOUND);

  for (const words of ["hi", "high", "high water"]) {
    await vi.advanceTimersByTimeAsync(900);
    await fireEvent.input(field, { target: { value: words } });
  }
  const whileTyping = search.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1000);
  copy.isStatic = false;
  vi.useRealTimers();

  expect(whileTyping).toBe(0);
  expect(search.mock.calls.map(([words]) => words)).toEqual(["high water"]);
});

describe("the search", () => {
  it("keeps what is typed before it is loaded", async () => {
    vi.spyOn(api, "search").mockResolvedValue(FOUND);
    renderIn("en")(SiteSearch);
    void fireEvent.keyDown(document.body, { key: "/" });
    const ahead = screen.getByRole<HTMLInputElement>("textbox");
    expect(ahead).toHaveFocus();
    // As the keyboard of a phone and an input method write.
    ahead.value = "高水位";

    const field = await screen.findByRole<HTMLInputElement>("combobox");
    expect([field.value, field.selectionStart]).toEqual(["高水位", 3]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  beforeEach(() => {
    vi.spyOn(HTMLDialogElement.prototype, "showModal").mockImplementation(function (
      this: HTMLDialogElement,
    ) {
      this.open = true;
    });
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
  });

  it("opens no result of earlier words: Enter waits for those of what is typed", async () => {
    const { search, field } = show(FOUND);
    await screen.findByRole("option", { name: /Not enough replicas/ });
    const followed = vi.fn((event: Event) => {
      event.preventDefault();
      return (event.target as Element).closest("a")?.getAttribute("href");
    });
    document.addEventListener("click", followed);
    search.mockResolvedValue({ ...FOUND, hits: [{ ...LESSON, address: "/lessons/two-rounds" }] });

    await fireEvent.input(field, { target: { value: "two rounds" } });
    await fireEvent.keyDown(field, { key: "Enter" });
    expect(followed).not.toHaveBeenCalled();

    await vi.waitFor(() => expect(followed).toHaveReturnedWith("/lessons/two-rounds"));
    document.removeEventListener("click", followed);
    expect(followed).toHaveBeenCalledTimes(1);
  });

  it("lists what was found by kind, with true counts, and announces them", async () => {
    const { field } = show(FOUND);

    const lessons = await screen.findByRole("group", { name: /Lessons\s*5/ });
    expect(within(lessons).getAllByRole("option")).toHaveLength(2);
    expect(screen.getByRole("option", { name: /NOT_ENOUGH_REPLICAS/ })).toHaveAttribute(
      "href",
      HIT.address,
    );
    expect(screen.getByRole("status")).toHaveTextContent("6 in all, the best 2 first");
    expect(screen.getByText("min.insync.replicas")).toBeVisible();
    expect(field).toHaveAttribute("aria-expanded", "true");
  });

  it("is moved through with the arrows, round the end, and opened with Enter", async () => {
    const { field, onclose } = show(FOUND);
    await screen.findByRole("option", { name: /NOT_ENOUGH_REPLICAS/ });
    const followed = vi.fn((event: Event) => event.preventDefault());
    document.addEventListener("click", followed, { once: true });

    await fireEvent.keyDown(field, { key: "ArrowDown" });
    expect(chosen(field)).toContain("Not enough replicas");
    await fireEvent.keyDown(field, { key: "ArrowUp" });
    await fireEvent.keyDown(field, { key: "ArrowUp" });
    expect(chosen(field)).toContain("All 5");
    await fireEvent.keyDown(field, { key: "ArrowDown" });
    expect(chosen(field)).toContain("NOT_ENOUGH_REPLICAS");
    await fireEvent.keyDown(field, { key: "Enter" });

    expect(followed).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(onclose).toHaveBeenCalledWith("replicas"));
  });

  it("shows all of a kind, and returns to all kinds", async () => {
    const { search } = show(FOUND);
    await fireEvent.click(await screen.findByRole("option", { name: "Lessons: all 5" }));

    await vi.waitFor(() =>
      expect(search).toHaveBeenLastCalledWith("replicas", "en", {
        kind: "lesson",
        asTyped: false,
        limit: 100,
      }),
    );
    await fireEvent.click(screen.getByRole("button", { name: "All kinds" }));
    await vi.waitFor(() =>
      expect(search).toHaveBeenLastCalledWith(
        "replicas",
        "en",
        expect.objectContaining({ kind: null }),
      ),
    );
  });

  it("states what a claim is in the release that the reader chose", async () => {
    const claim: FoundEntry = { ...HIT, kind: "claim", sign: "nearly", holds: [true, false] };
    const found = { ...FOUND, kinds: [{ kind: "claim" as const, count: 1 }], hits: [claim] };

    show(found);
    expect(await screen.findByText("4.4: nearly correct")).toBeTruthy();

    cleanup();
    keepRelease("0.10.2");
    show(found);
    expect(await screen.findByText("0.10.2: correct")).toBeTruthy();
    localStorage.clear();
  });

  it("searches only what was typed if that is wanted", async () => {
    const { search } = show(FOUND);

    await fireEvent.click(await screen.findByRole("button", { name: "only as typed" }));

    await vi.waitFor(() =>
      expect(search).toHaveBeenLastCalledWith(
        "replicas",
        "en",
        expect.objectContaining({ asTyped: true }),
      ),
    );
  });

  it("names the nearest and what is left out if nothing is found", async () => {
    show(NOTHING, "zh");

    expect(await screen.findByRole("link", { name: "high watermark" })).toHaveAttribute(
      "href",
      "/glossary#high-watermark",
    );
    expect(screen.getByRole("link", { name: /没有模拟/ })).toHaveAttribute(
      "href",
      "/fidelity#section-left_out",
    );
    expect(screen.getByRole("status")).toHaveTextContent("没有找到“replicas”");
  });

  it("states that the service does not respond, and searches again when more is typed", async () => {
    const search = vi.spyOn(api, "search").mockRejectedValueOnce(new Error("no"));
    renderIn("en")(SearchDialog, { props: { words: "isr", onclose: vi.fn() } });
    expect((await screen.findAllByText(/does not respond/)).length).toBeGreaterThan(0);

    search.mockResolvedValue(FOUND);
    await fireEvent.input(screen.getByRole("combobox"), { target: { value: "isrs" } });

    expect(await screen.findByRole("option", { name: /NOT_ENOUGH_REPLICAS/ })).toBeVisible();
  });
});
