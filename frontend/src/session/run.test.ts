import { describe, expect, it, vi } from "vitest";

import { ApiError, type Acted, type Session } from "../client/api";
import type { Frame, FrameEntry, State } from "../trace";
import { Run, type RunApi } from "./run.svelte";

const state = {} as State;

function frame(number: number, parent: number | null, depth: number): Frame {
  return { frame: number, parent, depth, item: null, action: null, events: [], changes: [], state, properties: {} };
}

function line(count: number): Frame[] {
  return Array.from({ length: count }, (_, number) => frame(number, number === 0 ? null : number - 1, number));
}

function acted(frames: readonly FrameEntry[], more: Partial<Acted> = {}): Acted {
  return { head: frames.at(-1)?.frame ?? 0, forked: false, repeated: false, frames, ...more };
}

function service(answers: Partial<RunApi> = {}): RunApi {
  const unasked = (): never => {
    throw new Error("nobody asks for this");
  };
  return { act: unasked, readChoices: () => Promise.resolve([]), readTimeline: unasked, createSession: unasked, ...answers };
}

const scenario = { id: "s", title: { en: "S", zh: "S" }, steps: [] };

function open(api: RunApi, frames = line(4), at = 0, session: string | null = "run"): Run {
  return new Run(api, { session, title: scenario.title, scenario, kafka: "3.9", frames, total: frames.length, at });
}

describe("a run", () => {
  it("stands on steps of its branch and nowhere else", () => {
    const run = open(service());

    run.goToIndex(99);
    expect(run.at).toBe(3);
    run.goToIndex(-1);
    expect(run.at).toBe(0);
    run.goTo(77);
    expect(run.at).toBe(0);
    expect(run.previous).toBeNull();
  });

  it("stands on the last of the frames that a step made", async () => {
    const act = vi.fn(() => Promise.resolve(acted([frame(4, 3, 4), frame(5, 4, 5)])));
    const run = open(service({ act }), line(4), 3);

    expect(await run.do({ fetch: { broker: 2 } })).toBe(true);

    expect(act).toHaveBeenCalledWith("run", 3, { fetch: { broker: 2 } });
    expect(run.at).toBe(5);
    expect(run.path).toEqual([0, 1, 2, 3, 4, 5]);
    expect(run.branches).toHaveLength(1);
  });

  it("follows the branch that a step in the past makes, and keeps the future that was there", async () => {
    const run = open(service({ act: () => Promise.resolve(acted([frame(4, 1, 2)], { forked: true })) }), line(4), 1);

    await run.do({ crash: { broker: 1 } });

    expect(run.at).toBe(4);
    expect(run.path).toEqual([0, 1, 4]);
    expect(run.branches.map(({ tip, after }) => [tip, after])).toEqual([
      [3, null],
      [4, 1],
    ]);
  });

  it("goes back to the branch that was there before, standing where they are the same", async () => {
    const run = open(service({ act: () => Promise.resolve(acted([frame(4, 1, 2)], { forked: true })) }), line(4), 1);
    await run.do({ crash: { broker: 1 } });

    run.openBranch(3);
    expect([run.at, run.tip]).toEqual([2, 3]);
    run.goTo(1);
    run.openBranch(4);
    expect([run.at, run.path]).toEqual([1, [0, 1, 4]]);
  });

  it("goes where a repeated step went, and holds no frame twice", async () => {
    const run = open(service({ act: () => Promise.resolve(acted([frame(2, 1, 2)], { repeated: true, head: 3 })) }), line(4), 1);

    await run.do({ settle: {} });

    expect(run.at).toBe(2);
    expect(run.known).toHaveLength(4);
    expect(run.path).toEqual([0, 1, 2, 3]);
  });

  it("reads what somebody else made in between", async () => {
    const readTimeline = vi.fn(() => Promise.resolve({ head: 5, total: 6, frames: [frame(4, 3, 4), frame(5, 1, 2)] }));
    const run = open(service({ readTimeline, act: () => Promise.resolve(acted([frame(5, 1, 2)], { forked: true })) }), line(4), 1);

    await run.do({ crash: { broker: 1 } });

    expect(readTimeline).toHaveBeenCalledWith("run", 4, 503);
    expect(run.at).toBe(5);
    expect(run.branches.map(({ tip }) => tip)).toEqual([4, 5]);
  });

  it("stays where it is when a step is refused, says why, and looks what has changed", async () => {
    const readTimeline = vi.fn(() => Promise.resolve({ head: 4, total: 5, frames: [frame(4, 3, 4)] }));
    const act = () => Promise.reject(new ApiError(409, "action_not_possible", "broker 1 is running already", [], { code: "broker_already_running", numbers: { broker: 1 } }));
    const run = open(service({ act, readTimeline }), line(4), 2);

    expect(await run.do({ start: { broker: 1 } })).toBe(false);

    expect(run.at).toBe(2);
    expect(run.trouble).toMatchObject({ step: { start: { broker: 1 } }, code: "broker_already_running", numbers: { broker: 1 } });
    expect(run.frameOf(4)).toBeDefined();
    expect(run.busy).toBe(false);
  });

  it("does one thing at a time", async () => {
    let answer: (value: Acted) => void = () => undefined;
    const act = vi.fn(() => new Promise<Acted>((resolve) => (answer = resolve)));
    const run = open(service({ act }), line(4), 3);

    const first = run.do({ settle: {} });
    expect(await run.do({ settle: {} })).toBe(false);
    answer(acted([frame(4, 3, 4)]));
    await first;

    expect(act).toHaveBeenCalledTimes(1);
  });

  it("leaves whoever has moved on where they are", async () => {
    let answer: (value: Acted) => void = () => undefined;
    const run = open(service({ act: () => new Promise<Acted>((resolve) => (answer = resolve)) }), line(4), 3);

    const doing = run.do({ settle: {} });
    run.goTo(0);
    answer(acted([frame(4, 3, 4)]));
    await doing;

    expect([run.at, run.last]).toEqual([0, 4]);
  });

  it("asks once what can happen after a frame", async () => {
    const readChoices = vi.fn(() => Promise.resolve([]));
    const run = open(service({ readChoices }));

    await run.readChoices();
    await run.readChoices();
    expect(readChoices).toHaveBeenCalledTimes(1);
    run.goTo(1);
    expect(run.choices).toBeUndefined();
  });

  it("reads long runs in ranges, and grows while they come", async () => {
    const all = line(1200);
    const readTimeline = vi.fn((_: string, from: number, to: number) =>
      Promise.resolve({ head: 1199, total: 1200, frames: all.slice(from, to + 1) }),
    );
    const run = new Run(service({ readTimeline }), { session: "run", title: scenario.title, scenario, kafka: "3.9", frames: all.slice(0, 500), total: 1200, at: 7 });

    await vi.waitFor(() => expect(run.last).toBe(1199));

    expect(readTimeline.mock.calls.map(([, from, to]) => [from, to])).toEqual([[500, 999], [1000, 1499]]);
    expect(run.at).toBe(7);
  });

  it("of a share changes nothing, and has gaps where other branches were", async () => {
    const run = open(service(), [frame(0, null, 0), frame(1, 0, 1), frame(7, 1, 2)], 7, null);

    expect(await run.do({ settle: {} })).toBe(false);
    expect(run.readOnly).toBe(true);
    expect([run.path, run.index]).toEqual([[0, 1, 7], 2]);
    expect(run.previous?.frame).toBe(1);
  });

  it("is run again under another version, once, to be looked at", async () => {
    const made = { id: "other", kafka: "0.11" } as Session;
    const createSession = vi.fn(() => Promise.resolve(made));
    const readTimeline = () => Promise.resolve({ head: 2, total: 3, frames: line(3) });
    const run = open(service({ createSession, readTimeline }), line(4), 1);

    const other = await run.under("0.11");

    expect(createSession).toHaveBeenCalledWith({ session: "run", at: 3, kafka: "0.11" });
    expect(other?.readOnly).toBe(true);
    expect(await run.under("0.11")).toBe(other);
    expect(createSession).toHaveBeenCalledTimes(1);
  });
});
