import { flushSync } from "svelte";
import { describe, expect, it } from "vitest";

import { heldReader } from "./held-fixture.svelte";

describe("a value that is held while frames pass", () => {
  it("follows at rest, stays while the playhead is hurried, and is read once at each glance", () => {
    const { seen, state } = heldReader();
    const move = (place: number): void => {
      state.place = place;
      flushSync();
    };

    flushSync();
    move(1);
    state.hurried = true;
    move(2);
    move(3);
    expect(seen).toEqual([0, 1]);

    state.glances += 1;
    flushSync();
    move(4);
    move(5);
    expect(seen).toEqual([0, 1, 3]);

    state.hurried = false;
    flushSync();
    move(6);
    expect(seen).toEqual([0, 1, 3, 5, 6]);
  });
});
