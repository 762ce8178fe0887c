import { describe, expect, it, vi } from "vitest";

import type { Listener, Mirrored, RecordedStep } from "../service/watch";
import { Mirror } from "./mirror.svelte";

function step(number: number, about: Partial<RecordedStep> = {}): RecordedStep {
  return {
    number,
    title: { en: "Wait" },
    at: null,
    changes: [],
    was_read: true,
    followed: true,
    equal: 4,
    differs: 0,
    not_held: 0,
    ...about,
  };
}

function recording(...recorded: readonly RecordedStep[]): Mirrored {
  const difference = recorded.find(({ differs }) => differs > 0)?.number ?? null;
  return {
    title: { en: "a" },
    kafka: "4.3.1",
    stage: "recording",
    file: null,
    failure: null,
    run: 1,
    runs: 2,
    step: recorded.length,
    last: 9,
    difference,
    recorded: [...recorded],
  };
}

function live() {
  let listener: Listener<Mirrored> | null = null;
  const close = vi.fn();
  const read = vi.fn((number: number) => Promise.reject(new Error(`not drawn: ${String(number)}`)));
  const mirror = new Mirror((one) => {
    listener = one;
    return close;
  }, read);
  mirror.open();
  const news = (one: Mirrored): void => listener?.onnews(one);
  const shown = (): readonly number[] => read.mock.calls.map(([number]) => number);
  return { mirror, news, shown };
}

describe("a recording beside the engine", () => {
  it("shows the newest state that was read, until the reader chooses another", () => {
    const { mirror, news, shown } = live();

    news(recording());
    news(recording(step(0), step(1, { was_read: false })));
    mirror.choose(0);
    news(recording(step(0), step(1, { was_read: false }), step(2)));
    mirror.choose(null);

    expect(shown()).toEqual([0, 2]);
  });

  it("names the first difference, and reads a step again that is compared otherwise now", () => {
    const { mirror, news, shown } = live();

    news(recording(step(0), step(1, { differs: 2 }), step(2, { differs: 1 })));
    mirror.choose(1);
    expect(mirror.difference?.number).toBe(1);
    news(recording(step(0), step(1), step(2, { differs: 1 })));

    expect(mirror.difference?.number).toBe(2);
    expect(shown()).toEqual([2, 1, 1]);
  });
});
