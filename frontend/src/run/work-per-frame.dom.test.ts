import { cleanup, fireEvent } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runOf } from "../session/fixtures";
import { GLANCE_MS } from "../session/fast-playhead.svelte";
import { REST_MS } from "../session/idle-work";
import type { Frame } from "../trace";
import { frameAt, loss } from "../trace/fixtures";
import { renderRunPage } from "./run-page-fixture";
import { skipTargetId } from "./skip-targets";

const BROKERS = [3, 4, 5, 6, 7, 8, 9];
const PRESSES = 4;
/** A run as long as is wanted, of nine brokers: one fetch after the other, twelve to a step. */
function longRun(length: number): Frame[] {
  const before = frameAt(loss, 2).state;
  const widened = [frameAt(loss, 2), frameAt(loss, 3)].map(({ state, ...rest }): Frame => {
    const replicas = Object.fromEntries(
      Object.entries(state.replicas).map(([name, own]) => [
        name,
        { ...own, ...each(before.replicas[name]?.["1"]) },
      ]),
    );
    return {
      ...rest,
      state: {
        ...state,
        brokers: { ...state.brokers, ...each(before.brokers["1"]) },
        replicas: replicas as typeof state.replicas,
      },
    };
  });
  return Array.from({ length }, (_, frame) => ({
    ...(widened[frame % 2] as Frame),
    frame,
    parent: frame === 0 ? null : frame - 1,
    depth: frame,
    step: Math.floor(frame / 12),
  }));
}

function each<T>(one: T | undefined): Record<string, T> {
  if (one === undefined) throw new Error("the fixture has no broker 1");
  return Object.fromEntries(BROKERS.map((broker) => [String(broker), one]));
}

function opened(length: number): void {
  const run = runOf(longRun(length), { at: Math.floor(length / 24) * 12 + 1 });
  renderRunPage(run);
}

/** How much of the page a press changes, on the average over some presses within a step. */
async function changesAPress(length: number): Promise<number> {
  opened(length);
  await vi.advanceTimersByTimeAsync(REST_MS * 10);
  let changes = 0;
  const observer = new MutationObserver((records) => {
    for (const record of records) changes += 1 + record.addedNodes.length;
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  for (let press = 0; press < PRESSES; press += 1) {
    await fireEvent.keyDown(window, { key: "ArrowRight", shiftKey: true });
  }
  await vi.advanceTimersByTimeAsync(0);
  observer.disconnect();
  cleanup();
  return changes / PRESSES;
}

const SCREEN_MS = 16;
/** The parts of the page that wait for a rest, and that nothing else changes. */
const WAITING = [`#${skipTargetId("explanation")}`, ".hw-stage table"];

/** The waiting parts that change on each screen frame while the playhead moves on each of them, and then at rest. */
async function partsAFrame(frames: number): Promise<{ moving: string[][]; resting: string[][] }> {
  opened(1_200);
  await vi.advanceTimersByTimeAsync(REST_MS * 10);
  let changed: Node[] = [];
  const observer = new MutationObserver((records) =>
    changed.push(...records.map((record) => record.target)),
  );
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  const onNextFrame = async (act: () => unknown): Promise<string[]> => {
    changed = [];
    await act();
    await vi.advanceTimersByTimeAsync(SCREEN_MS);
    return WAITING.filter((part) =>
      changed.some((node) => document.querySelector(part)?.contains(node)),
    );
  };
  const moving: string[][] = [];
  for (let frame = 0; frame < frames; frame += 1)
    moving.push(
      await onNextFrame(() => fireEvent.keyDown(window, { key: "ArrowRight", shiftKey: true })),
    );
  const resting: string[][] = [];
  for (let ms = 0; ms < REST_MS * 3; ms += SCREEN_MS)
    resting.push(await onNextFrame(() => undefined));
  observer.disconnect();
  cleanup();
  return { moving, resting };
}

describe("going along a run of nine brokers", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => Promise.reject(new Error("no service here")));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("changes as little of the page however long the run is", async () => {
    const [short, long] = [await changesAPress(120), await changesAPress(1_200)];

    expect(short).toBeGreaterThan(5);
    expect(long).toBeLessThanOrEqual(short * 1.1);
    expect(short).toBeLessThan(90);
  }, 60_000);

  it("draws the timeline with as few shapes however many steps there are", () => {
    const shapes = [120, 1_200].map((length) => {
      opened(length);
      const count = document.querySelectorAll(".track svg *").length;
      cleanup();
      return count;
    });

    expect(shapes[1]).toBeLessThanOrEqual((shapes[0] ?? 0) + 4);
  }, 60_000);

  it("draws what waits for a rest part by part, and seldom before it", async () => {
    const { moving, resting } = await partsAFrame(180);

    const hurried = moving.slice(4);
    const drawn = [...hurried, ...resting].filter((parts) => parts.length > 0);
    expect(drawn.filter((parts) => parts.length > 1)).toEqual([]);
    expect(resting.flat()).toEqual(WAITING);
    const words = hurried.filter((parts) => parts.includes(WAITING[0] ?? "")).length;
    expect(words).toBeGreaterThan(0);
    expect(words).toBeLessThanOrEqual((hurried.length * SCREEN_MS) / GLANCE_MS);
  }, 60_000);
});
