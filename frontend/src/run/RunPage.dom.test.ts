import { fireEvent, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "../session/fixtures";
import { REST_MS } from "../session/idle-work";
import type { Run } from "../session/run.svelte";
import type { Frame, Lang } from "../trace";
import { frameAt, loss, storyStep } from "../trace/fixtures";
import { renderRunPage } from "./run-page-fixture";

function open(frames: readonly Frame[], lang: Lang = "en") {
  const run = runOf(frames);
  show(run, lang);
  return run;
}

function show(run: Run, lang: Lang = "en"): void {
  renderRunPage(run, lang);
}

describe("the page of a run", () => {
  beforeEach(() => {
    vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here")));
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("keeps its stage, its timeline and its keys when one panel cannot be drawn", async () => {
    open(
      loss.map((frame, at) =>
        at === 1 ? { ...frame, changes: null as unknown as Frame["changes"] } : frame,
      ),
    );

    await fireEvent.keyDown(window, { key: "ArrowRight" });

    expect(screen.getByRole("alert")).toHaveTextContent("Cannot show the explanation of this step");
    expect(screen.getByRole("slider", { name: "Timeline" })).toHaveAttribute("aria-valuenow", "1");
    expect(screen.getByRole("region", { name: "Stage" })).toBeVisible();

    await fireEvent.keyDown(window, { key: "ArrowRight" });

    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByRole("heading", { name: "Step 2 of 14" })).toBeVisible();
  });

  it("plays by itself where the address asks for that, which then leads back to the place", async () => {
    history.replaceState(null, "", "/x/run?play=1");
    open(loss);

    expect(await screen.findByRole("button", { name: "Pause" })).toBeVisible();
    expect(location.search).toBe("?frame=0");
    history.replaceState(null, "", "/");
  });

  it("links a step's sources to the release of the run", async () => {
    const address =
      "https://github.com/apache/kafka/blob/0.10.2.2/core/src/main/scala/kafka/server/ReplicaManager.scala";
    vi.stubGlobal("fetch", (asked: string) =>
      asked.endsWith("/versions/0.10.2/sources")
        ? Promise.resolve(
            new Response(JSON.stringify({ kafka: "0.10.2", sources: { ReplicaManager: address } })),
          )
        : Promise.reject(new Error("no service here")),
    );

    open(
      loss.map((frame) => ({
        ...frame,
        events: frame.events.map((event) => ({ ...event, sources: ["ReplicaManager", "KIP-101"] })),
      })),
    );
    await fireEvent.keyDown(window, { key: "ArrowRight" });

    expect(await screen.findByRole("link", { name: "ReplicaManager" })).toHaveAttribute(
      "href",
      address,
    );
  });

  it("names the first step of a loss and the step that completed it, the same ones as the producer's lane", async () => {
    open(loss);
    await fireEvent.keyDown(window, { key: "End" });
    const why = within(screen.getByRole("region", { name: "Step 14 of 14" }));

    expect(
      why.getByRole("button", { name: "step 14: the last copy of m2 was lost" }),
    ).toBeVisible();
    expect(
      screen.getByRole("button", { name: /acknowledged at step 7 · .* step 13 · .* step 14$/ }),
    ).toBeVisible();

    await fireEvent.click(why.getByRole("button", { name: "step 13: m2 lost" }));
    expect(screen.getByRole("heading", { name: "Step 13 of 14" })).toBeVisible();
  });

  it("marks a lost record where a copy exists, and otherwise opens the step in which it was lost", async () => {
    const later = { ...frameAt(loss, -1), frame: 15, parent: 14, depth: 15, step: 15, events: [] };
    open([...loss, later]);
    const selected = () => [...document.querySelectorAll(".hw-selected")].length;

    await fireEvent.keyDown(window, { key: "End" });
    await fireEvent.keyDown(window, { key: "ArrowLeft" });
    await fireEvent.keyDown(window, { key: "ArrowLeft" });
    await fireEvent.click(screen.getByRole("button", { name: "show m2" }));
    expect(screen.getByRole("heading", { name: "Step 13 of 15" })).toBeVisible();
    expect(screen.getByRole("button", { name: /^Broker 2: m2/ })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    expect(selected()).toBe(1);

    await fireEvent.keyDown(window, { key: "End" });
    expect(selected()).toBe(0);
    // That was the fourth press in no time: what is read follows at rest.
    await fireEvent.click(
      await screen.findByRole("button", { name: "show where m2 was lost, step 14" }),
    );

    expect(screen.getByRole("heading", { name: "Step 14 of 15" })).toBeVisible();
    expect(selected()).toBe(1);
  });

  it("draws only the playhead while a key is held, and everything when the key is released", async () => {
    vi.useFakeTimers();
    open(loss);
    const place = (): string =>
      document.querySelector<HTMLElement>(".track .playhead")?.style.transform ?? "";
    const places = new Set<string>();

    for (let press = 0; press < 8; press += 1) {
      await fireEvent.keyDown(window, { key: "ArrowRight" });
      places.add(place());
    }

    expect(places.size).toBe(8);
    expect(screen.getByRole("heading", { name: "Step 3 of 14" })).toBeVisible();
    expect(screen.getByRole("slider", { name: "Timeline" })).toHaveAttribute("aria-valuenow", "3");
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(screen.getByRole("heading", { name: "Step 8 of 14" })).toBeVisible();
    // The other parts follow, one on each screen frame.
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(screen.getByRole("slider", { name: "Timeline" })).toHaveAttribute("aria-valuenow", "8");
    expect(places).toContain(place());
    vi.useRealTimers();
  });

  it("has full-width marks beside Chinese, in what is seen and in what is read out", async () => {
    open(loss, "zh");

    for (let at = 0; at < loss.length; at += 1) {
      const elements = [...document.querySelectorAll("*")];
      const said = elements.flatMap((element) => [
        element.getAttribute("aria-label") ?? "",
        ...[...element.childNodes].map((node) =>
          node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : "",
        ),
      ]);
      for (const text of said)
        expect(text).not.toMatch(/[\u4e00-\u9fff]\s?[,:;?!]|[,:;?!]\s?[\u4e00-\u9fff]/);
      await fireEvent.keyDown(window, { key: "ArrowRight" });
    }
  });

  it("reports an error if the whole stage cannot be drawn, and still explains the step", async () => {
    open(
      loss.map((frame, at) =>
        at === 1
          ? {
              ...frame,
              state: { ...frame.state, replicas: null as unknown as Frame["state"]["replicas"] },
            }
          : frame,
      ),
    );

    await fireEvent.keyDown(window, { key: "ArrowRight" });

    expect(screen.getAllByRole("alert")[0]).toHaveTextContent("Cannot show the");
    expect(screen.getByRole("heading", { name: "Step 1 of 14" })).toBeVisible();
    await fireEvent.keyDown(window, { key: "End" });
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("the page of a run in one column", () => {
  beforeEach(() => {
    vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here")));
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: query === "(max-width: 900px)",
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** How often the text is on the page with each tab open. */
  async function onEachTab(text: string | RegExp): Promise<number[]> {
    const found: number[] = [];
    for (const tab of screen.getAllByRole("tab")) {
      await fireEvent.click(tab);
      found.push(screen.queryAllByText(text).length);
    }
    return found;
  }

  it("says with every tab what the reader did, where the lesson was left, and the way back", async () => {
    const crashed: Frame = {
      ...frameAt(loss, 4),
      frame: 15,
      parent: 3,
      depth: 4,
      step: 4,
      item: null,
    };
    const title = { en: "crash broker 1", zh: "broker 1 崩溃" };
    const story = [storyStep(4, 15, 15, { title, summary: title })];
    const run = runOf([...loss, crashed], { at: 15, session: "7h3k", story });
    show(run);

    expect(await onEachTab("Your action: crash broker 1 · 1 message")).toEqual([1, 1, 1]);
    expect(await onEachTab(/This branch begins after step 3/)).toEqual([1, 1, 1]);

    await fireEvent.click(screen.getByRole("button", { name: "Back to the original run" }));
    expect(run.at).toBe(3);
    expect(screen.queryByText(/This branch begins/)).toBeNull();
  });

  it("offers with every tab the release that fixed a loss, at the end of the run", async () => {
    vi.useFakeTimers();
    const steps = [
      { expect: { kafka: ["<0.11"], violated: ["NoAckedRecordLost"] } },
      { expect: { kafka: [">=0.11"], violated: [] } },
    ];
    show(runOf(loss, { at: 13, session: "7h3k", steps }));
    const repaired = "Now the same under 0.11 →";
    expect(await onEachTab(repaired)).toEqual([0, 0, 0]);

    await fireEvent.click(screen.getByRole("button", { name: "Play" }));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(await onEachTab(repaired)).toEqual([1, 1, 1]);
  });
});
