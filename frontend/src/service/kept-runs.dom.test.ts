import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  forgetRun,
  forgetShare,
  keepRun,
  keepShare,
  keyOf,
  listRuns,
  listShares,
  noteActed,
  renameRun,
  type KeptRun,
} from "./kept-runs";

function run(session: string, more: Partial<KeptRun> = {}): KeptRun {
  return {
    session,
    key: `key-${session}`,
    title: { en: session, zh: session },
    kafka: "3.9",
    made: 1,
    acted: false,
    name: null,
    ...more,
  };
}

describe("the runs of this browser", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => vi.restoreAllMocks());

  it("has the key to a run that was made here, and to no other", () => {
    keepRun(run("a"));

    expect(keyOf("a")).toBe("key-a");
    expect(keyOf("b")).toBeNull();
    forgetRun("a");
    expect(keyOf("a")).toBeNull();
  });

  it("lists a run once something was done in it, under the name that it was given", () => {
    keepRun(run("a"));
    keepRun(run("b"));
    expect(listRuns()).toEqual([]);

    noteActed("a");
    renameRun("a", "  my cluster ");

    expect(listRuns().map(({ session, name }) => [session, name])).toEqual([["a", "my cluster"]]);
    renameRun("a", " ");
    expect(listRuns()[0]?.name).toBeNull();
  });

  it("gives up a run in which nothing was done before one in which something was", () => {
    keepRun(run("first", { acted: true }));
    for (let index = 0; index < 400; index += 1) keepRun(run(`lesson-${String(index)}`));

    expect(keyOf("first")).toBe("key-first");
    expect(keyOf("lesson-0")).toBeNull();
    expect(keyOf("lesson-399")).toBe("key-lesson-399");
  });

  it("keeps the keys that delete shares", () => {
    keepShare({ sid: "s", token: "t", title: "x", made: 1, name: null });
    expect(listShares().map((share) => share.token)).toEqual(["t"]);

    forgetShare("s");
    expect(listShares()).toEqual([]);
  });

  it("starts empty if the stored data is invalid", () => {
    localStorage.setItem("highwater-made-here", "[1");
    expect(keyOf("a")).toBeNull();

    keepRun(run("a"));
    expect(keyOf("a")).toBe("key-a");
  });

  it("remembers as long as the page where storage is full", async () => {
    vi.resetModules();
    const full = await import("./kept-runs");
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("full");
    });

    full.keepRun(run("a"));

    expect(full.keyOf("a")).toBe("key-a");
  });
});
