import { beforeEach, describe, expect, it } from "vitest";

import { keepDone, keepPlace, keepWatched, readProgress } from "./progress";

describe("what a browser remembers", () => {
  beforeEach(() => localStorage.clear());

  it("is nothing at first, and nothing where something else is kept", () => {
    expect(readProgress()).toEqual({ done: [], left: null, watched: [] });

    localStorage.setItem(
      "highwater-progress",
      '{"done": 3, "left": {"lesson": 1}, "watched": [1, "0/2"]}',
    );
    expect(readProgress()).toEqual({ done: [], left: null, watched: ["0/2"] });

    localStorage.setItem("highwater-progress", "{");
    expect(readProgress().done).toEqual([]);
  });

  it("leads back to a lesson that was left, and not to one that was done", () => {
    keepPlace("two-rounds", "/x/abc?frame=2");
    expect(readProgress().left?.address).toBe("/x/abc?frame=2");

    keepDone("two-rounds");
    keepDone("two-rounds");
    expect(readProgress()).toEqual({ done: ["two-rounds"], left: null, watched: [] });
  });

  it("leads to the lesson itself while it is only read", () => {
    keepPlace("two-rounds", "/lessons/two-rounds?step=2");

    expect(readProgress().left?.address).toBe("/lessons/two-rounds?step=2");
  });

  it("leads nowhere but to a run", () => {
    keepPlace("two-rounds", "https://elsewhere.example/lessons/");

    expect(readProgress().left).toBeNull();
  });

  it("counts a claim once", () => {
    keepWatched(1, 4);
    keepWatched(1, 4);

    expect(readProgress().watched).toEqual(["1/4"]);
  });
});
