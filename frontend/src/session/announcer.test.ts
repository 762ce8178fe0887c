import { beforeEach, describe, expect, it, vi } from "vitest";

import { Announcer } from "./announcer.svelte";

describe("what is spoken", () => {
  let due: (() => void) | null = null;
  const announcer = (): Announcer =>
    new Announcer({
      after: (_, then) => {
        due = then;
        return () => (due = null);
      },
    });
  beforeEach(() => {
    due = null;
    vi.restoreAllMocks();
  });

  it("is spoken when the playhead rests, and not again when more is known of the place", () => {
    const spoken = announcer();

    spoken.at("1", "Broker 2 appends m1 at offset 0.")?.();
    spoken.at("1", "Broker 2 appends m1.");
    expect(spoken.text).toBe("");
    due?.();
    expect(spoken.text).toBe("Broker 2 appends m1.");

    expect(spoken.at("1", "Another wording.")).toBeUndefined();
    expect(spoken.text).toBe("Broker 2 appends m1.");
  });

  it("is empty while messages are played, so that equal texts are announced again", () => {
    const spoken = announcer();
    spoken.at("1", "Broker 1 fetches.");
    due?.();

    spoken.at("2", "");
    expect(spoken.text).toBe("");
    due?.();
    spoken.at("1", "Broker 1 fetches.");
    due?.();

    expect(spoken.text).toBe("Broker 1 fetches.");
  });
});
