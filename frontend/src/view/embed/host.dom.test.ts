/** A host that floods its embed, or sends what is no command: the player does what was said last. */

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { connectHost } from "./host";

const parent = { postMessage: vi.fn() };
let done: [name: string, argument?: unknown][] = [];

beforeAll(() => {
  connectHost().listen({
    goto: (frame) => done.push(["goto", frame]),
    play: () => done.push(["play"]),
    pause: () => done.push(["pause"]),
    setSpeed: (speed) => done.push(["setSpeed", speed]),
    setTheme: (theme) => done.push(["setTheme", theme]),
  });
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("parent", parent);
  done = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function say(data: unknown, source: unknown = parent): void {
  window.dispatchEvent(new MessageEvent("message", { data, source: source as Window }));
}

function command(type: string, payload: Record<string, unknown> = {}): void {
  say({ highwater: 1, type, payload });
}

test("of many commands at once the first is done, and the last of each kind", () => {
  for (let step = 0; step < 10_000; step++) {
    command("goto", { step });
    command(step % 2 === 0 ? "play" : "pause");
  }
  command("setTheme", { theme: "dark" });
  vi.advanceTimersByTime(1000);

  expect(done).toEqual([["goto", 0], ["goto", 9999], ["pause"], ["setTheme", "dark"]]);
});

test("who waits between commands is obeyed each time", () => {
  for (const step of [3, 4, 5]) {
    command("goto", { step });
    vi.advanceTimersByTime(200);
  }

  expect(done).toEqual([
    ["goto", 3],
    ["goto", 4],
    ["goto", 5],
  ]);
});

test("what is no command of the host is dropped", () => {
  const circle: Record<string, unknown> = { highwater: 1, type: "goto" };
  circle.payload = circle;
  for (const data of [
    circle,
    null,
    "x".repeat(1_000_000),
    { highwater: 1, type: "__proto__", payload: {} },
    { highwater: 1, type: "constructor", payload: { step: 1 } },
    { highwater: 1, type: ["goto"], payload: { step: 1 } },
    { highwater: 1, type: "goto", payload: { step: "1" } },
    { highwater: 1, type: "goto", payload: { step: Number.NaN } },
    { highwater: 1, type: "setSpeed", payload: { speed: Number.POSITIVE_INFINITY } },
    { highwater: 1, type: "setTheme", payload: { theme: "url(x)" } },
    { highwater: 2, type: "play", payload: {} },
  ]) {
    say(data);
    vi.advanceTimersByTime(200);
  }
  say({ highwater: 1, type: "play", payload: {} }, window);
  vi.advanceTimersByTime(200);

  expect(done).toEqual([]);
});
