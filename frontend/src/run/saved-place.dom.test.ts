import { cleanup, fireEvent } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "../session/fixtures";
import { REST_MS } from "../session/idle-work";
import { announceLeaving } from "../session/leaving";
import { loss } from "../trace/fixtures";
import { renderRunPage } from "./run-page-fixture";

function address(): string {
  return `${location.pathname}${location.search}`;
}

/** Presses → by message twice: the second press comes before the playhead has rested. */
async function pressTwice(): Promise<void> {
  for (let press = 0; press < 2; press += 1)
    await fireEvent.keyDown(window, { key: "ArrowRight", shiftKey: true });
}

async function open(path: string): Promise<void> {
  history.replaceState(null, "", path);
  const run = runOf(loss);
  renderRunPage(run);
  await vi.advanceTimersByTimeAsync(REST_MS * 10);
}

describe("the position in the address", () => {
  beforeEach(async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here")));
    await open("/s/abc");
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is written when the playhead rests", async () => {
    await pressTwice();
    expect(address()).toBe("/s/abc?frame=1");
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(address()).toBe("/s/abc?frame=2");
  });

  it("is written before the page is left", async () => {
    await pressTwice();
    announceLeaving();
    expect(address()).toBe("/s/abc?frame=2");
  });

  it("has the level while it is that of messages", async () => {
    await fireEvent.keyDown(window, { key: "z" });
    await vi.advanceTimersByTimeAsync(REST_MS * 10);
    expect(address()).toBe("/s/abc?frame=0&level=message");

    await fireEvent.keyDown(window, { key: "z" });
    await vi.advanceTimersByTimeAsync(REST_MS * 10);
    expect(address()).toBe("/s/abc?frame=0");
  });

  it("has the compared run, which opens again with it", async () => {
    cleanup();
    await open("/s/abc?frame=0&beside=b3");
    expect(address()).toBe("/s/abc?frame=0&beside=b3");

    await pressTwice();
    await vi.advanceTimersByTimeAsync(REST_MS * 10);
    expect(address()).toBe("/s/abc?frame=2&beside=b3");
  });

  it("is never written into the address of the next page while that page is loaded", async () => {
    await pressTwice();
    history.pushState(null, "", "/glossary");
    await vi.advanceTimersByTimeAsync(REST_MS * 10);
    expect(address()).toBe("/glossary");
  });
});
