import { fireEvent, screen, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "../session/fixtures";
import type { OtherVersion } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import { ComparedRun } from "./compared-run.svelte";
import { besideOptions } from "./header-lists";
import { othersOf } from "./other-branches";
import { renderRunPage } from "./run-page-fixture";
import { say } from "languages:run";

/** The first frame of the second branch, which follows frame 5. */
const OWN = loss.length;
const NAMES = { [String(OWN)]: "Too early" };

function branched(session: string | null = "7h3k"): Run {
  const own = { ...frameAt(loss, 6), frame: OWN, parent: 5, step: 6 };
  return runOf([...loss, own], { at: loss.length - 1, session });
}

function show(run: Run): void {
  renderRunPage(run);
}

const branches = () => within(screen.getByRole("group", { name: "Branches" }));
const tree = () => within(screen.getByRole("dialog", { name: "Branches" }));

beforeEach(() => vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here"))));
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("the name of a branch", () => {
  it("is its first step, not that step's first message, once its story is loaded", () => {
    const run = branched();
    const named = () => othersOf(run, {}, catalogue, "en").map(({ name }) => name);
    expect(named()).not.toContain("after step 5: broker 1 fetches");

    run.stories.set(OWN, [
      { step: 6, first_frame: OWN, title: { en: "broker 1 fetches", zh: "broker 1 拉取" } },
    ] as unknown as Parameters<typeof run.stories.set>[1]);

    expect(named()).toContain("after step 5: broker 1 fetches");
  });
});

describe("the name that a branch was given", () => {
  it("is its name in a comparison, too", async () => {
    const run = branched();
    const compared = new ComparedRun(run);
    await compared.choose(`b${OWN}`);

    expect(
      besideOptions(run, "", null, null, NAMES, catalogue, "en").map(({ label }) => label),
    ).toContain("Too early");
    expect(compared.side(NAMES, catalogue, "en")?.name).toBe("Too early");
    expect(compared.side({}, catalogue, "en")?.name).toMatch(/^after step 5/);
  });

  it("is where the branches are, and can be changed", async () => {
    localStorage.setItem("highwater-branches-7h3k", JSON.stringify(NAMES));
    show(branched());
    expect(branches().getByRole("button", { name: "Too early same up to step 5" })).toBeVisible();

    await fireEvent.click(branches().getByRole("button", { name: "all 2 branches" }));

    expect(tree().getAllByRole("button", { name: "Rename" })).toHaveLength(2);
  });

  it("leaves the focus on the button that renames, however the field is left", async () => {
    show(branched());
    await fireEvent.click(branches().getByRole("button", { name: "all 2 branches" }));
    const button = () => tree().getAllByRole("button", { name: "Rename" })[1];
    const field = () => tree().getByRole("textbox", { name: "Name of the branch" });

    await fireEvent.click(button() as HTMLElement);
    await fireEvent.input(field(), { target: { value: "Too early" } });
    await fireEvent.submit(field());
    expect(tree().getByRole("button", { name: /^Too early/ })).toBeVisible();
    expect(button()).toHaveFocus();

    await fireEvent.click(button() as HTMLElement);
    await fireEvent.input(field(), { target: { value: "Much too early" } });
    // The dialog must not close by the same key.
    expect(await fireEvent.keyDown(field(), { key: "Escape" })).toBe(false);
    expect(tree().getByRole("button", { name: /^Too early/ })).toBeVisible();
    expect(button()).toHaveFocus();
  });

  it("cannot be changed in a run that cannot", async () => {
    show(branched(null));

    await fireEvent.click(branches().getByRole("button", { name: "all 2 branches" }));

    expect(tree().getAllByRole("listitem")).toHaveLength(2);
    expect(tree().queryByRole("button", { name: "Rename" })).toBeNull();
  });
});

describe("a branch below the timeline", () => {
  it("names the step after which it leaves the shown branch", () => {
    const run = branched(null);
    run.openBranch(OWN, OWN);
    show(run);

    expect(
      branches().getByRole("button", { name: "original run same up to step 5" }),
    ).toBeVisible();
  });

  it("names it once if its name starts with it", () => {
    show(branched(null));

    expect(branches().getByRole("button", { name: /^after step 5/ })).not.toHaveTextContent(
      "same up to",
    );
  });

  it("leaves a branch of another one where that does", () => {
    const run = branched(null);
    const early = { ...frameAt(loss, 3), frame: OWN + 1, parent: 2, step: 3 };
    const found = othersOf(
      runOf([...run.frames.filter((frame) => frame !== undefined), early], { at: OWN + 1 }),
      {},
      catalogue,
      "en",
    );

    // The third branch forks from the first after step 5, and both leave the shown one after step 2.
    expect(found.map(({ leavesAfter }) => leavesAfter)).toEqual([2, 2]);
  });

  it("starts at the start if it forks there", () => {
    const own = { ...frameAt(loss, 1), frame: OWN, parent: 0, step: 1 };
    show(runOf([...loss, own], { at: loss.length - 1 }));

    expect(branches().getByRole("button", { name: /^at the start: / })).toBeVisible();
  });
});

describe("the same steps under other versions", () => {
  /** Compares a run after its page is open, which first looks for earlier comparisons. */
  async function compare(run: Run): Promise<void> {
    show(run);
    await new Promise((restored) => setTimeout(restored));
    run.comparisons.versions = [
      { session: "9q", kafka: "0.11", frames: loss } as unknown as OtherVersion,
    ];
    await tick();
  }

  it("are counted apart from the branches, and are in the tree", async () => {
    await compare(branched());

    await fireEvent.click(
      branches().getByRole("button", { name: "all 2 branches · 1 other version" }),
    );

    expect(tree().getAllByRole("listitem")).toHaveLength(3);
    expect(tree().getByRole("button", { name: /^under Kafka 0.11/ })).toBeVisible();
    expect(tree().getAllByRole("button", { name: "Rename" })).toHaveLength(2);
  });

  it("are no branches where there is none", async () => {
    await compare(runOf(loss, { session: "7h3k" }));

    expect(branches().getByRole("button", { name: "1 other version" })).toBeVisible();
    expect(branches().queryByRole("button", { name: /^all \d+ branches/ })).toBeNull();
  });
});

describe("the place where a branch leaves the lesson", () => {
  it("is the start, or after a step", () => {
    expect([0, 3].map((step) => say("en", "leftLesson", { step }))).toEqual([
      "You left the lesson at the start",
      "You left the lesson after step 3",
    ]);
    expect([0, 3].map((step) => say("zh", "leftLesson", { step }))).toEqual([
      "你在起点离开了课程",
      "你在第 3 步之后离开了课程",
    ]);
  });

  it("is shown above the actions", () => {
    const own = { ...frameAt(loss, 1), frame: OWN, parent: 0, step: 1 };
    show(runOf([...loss, own], { at: OWN, session: "7h3k" }));

    expect(screen.getByText(/^This branch begins at the start/)).toBeVisible();
  });
});
