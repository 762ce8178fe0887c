import { describe, expect, it, vi } from "vitest";

import type { Frame } from "../trace";

import { api, ApiError, type Acted, type Api, type Choice, type Session } from "../service/api";
import { branchOf } from "./branches";
import { frame, line, noMemory, scenario, service, words } from "./fixtures";
import { REST_MS } from "./idle-work";
import { Run } from "./run.svelte";

vi.mock("./branches", { spy: true });

/** An answer to an action that made these frames. */
function made(frames: readonly Frame[], rest: Partial<Acted> = {}): Acted {
  const head = frames.at(-1)?.frame ?? 0;
  return {
    head,
    forked: false,
    repeated: false,
    frames,
    missed: [],
    total: head + 1,
    story: [],
    choices: [],
    ...rest,
  };
}

function open(answers: Partial<Api>, count = 3, at = 0): Run {
  return new Run(service(answers), "session", "3.9", scenario, words, line(count), at);
}

describe("a run", () => {
  it("stands on a step and never outside the branch", () => {
    const run = open({});

    run.goToIndex(99);
    expect(run.at).toBe(2);
    run.goToIndex(-5);
    expect(run.at).toBe(0);
  });

  it("does not look for its branch again while the playhead moves along it: nearly all of the page follows the branch", () => {
    const run = open({}, 40);
    const { shown } = run;
    vi.mocked(branchOf).mockClear();

    for (let place = 1; place < 40; place += 1) {
      run.goToIndex(place);
      expect(run.shown).toBe(shown);
    }

    expect(branchOf).not.toHaveBeenCalled();
  });

  it("asks what can happen where the playhead rests, not at each place that it passes", async () => {
    vi.useFakeTimers();
    const readChoices = vi.fn<Api["readChoices"]>(() => Promise.resolve([]));
    const run = open({ readChoices }, 40);

    for (let place = 1; place < 40; place += 1) run.goToIndex(place);
    await vi.advanceTimersByTimeAsync(REST_MS);
    vi.useRealTimers();

    expect(readChoices.mock.calls.map(([, after]) => after)).toEqual([1, 39]);
  });

  it("acts on what can happen where it stands, however soon after a move", async () => {
    const act = vi.fn(() => Promise.resolve(made([frame(3, 2)])));
    const choice = (name: string) => ({ step: { [name]: {} }, enabled: true }) as unknown as Choice;
    const run = open({
      act,
      readChoices: (_session, after) => Promise.resolve([choice(`at-${after}`)]),
    });

    run.goToIndex(1);
    run.goToIndex(2);
    await run.actOn((choices) => choices[0]);

    expect(act).toHaveBeenCalledWith("session", 2, { "at-2": {} }, 3);
  });

  it("asks for a branch's story once, however many want it", async () => {
    const readStory = vi.fn(() => Promise.resolve({ head: 2, story: [] }));
    const run = open({ readStory });

    await Promise.all([run.loadStory(), run.loadStory()]);
    await run.loadStory();
    expect(readStory).toHaveBeenCalledOnce();
  });

  it("asks again for a story that did not come", async () => {
    const readStory = vi.fn(() => Promise.reject(new Error("away")));
    const run = open({ readStory });

    await run.loadStory();
    await run.loadStory();
    expect(readStory).toHaveBeenCalledTimes(2);
  });

  it("opens the branch that acting in the past makes, and keeps the other", async () => {
    const act = vi.fn(() => Promise.resolve(made([frame(3, 1)], { forked: true })));
    const run = open({ act }, 3, 1);

    await run.act({ crash: { broker: 1 } });

    expect(act).toHaveBeenCalledWith("session", 1, { crash: { broker: 1 } }, 3);
    expect(run.at).toBe(3);
    expect(run.path).toEqual([0, 1, 3]);
    expect(run.branches.map((branch) => branch.tip)).toEqual([2, 3]);
  });

  it("does what is done in somebody else's run in a copy of one's own, from where one stands", async () => {
    const createSession = vi.fn(() => Promise.resolve({ id: "copy", frames: 3 } as Session));
    const act = vi.fn((_session: string, after: number) =>
      Promise.resolve(made([frame(after + 2, after)])),
    );
    const run = open({ act, createSession }, 3, 1);
    const copied = vi.fn();
    run.oncopy = copied;

    await run.act({ crash: { broker: 1 } });
    await run.follow(0, [{ crash: { broker: 1 } }, { detect: { broker: 1 } }]);

    expect(createSession).toHaveBeenCalledWith({ session: "session", at: 2 });
    expect(act.mock.calls.map(([id, after]) => [id, after])).toEqual([
      ["copy", 1],
      ["copy", 0],
      ["copy", 2],
    ]);
    expect(copied.mock.calls).toEqual([
      ["copy", 3],
      ["copy", 4],
    ]);
    expect(run.frames).toHaveLength(3);
  });

  it("shows why an action was refused and changes nothing", async () => {
    const run = open({
      act: () => Promise.reject(new ApiError(409, "action_not_possible", "broker 1 is down")),
    });

    await run.act({ crash: { broker: 1 } });

    expect(run.problem).toBe("broker 1 is down");
    expect(run.frames).toHaveLength(3);
  });

  it("makes one request of a click, and knows what can happen next", async () => {
    const next = { actor: "time", step: { settle: {} }, enabled: true } as unknown as Choice;
    const answers: unknown[] = [made([frame(3, 2)], { choices: [next] })];
    const fetching = vi.fn(() =>
      Promise.resolve(new Response(JSON.stringify(answers.shift()), { status: 201 })),
    );
    vi.stubGlobal("fetch", fetching);
    const run = new Run(api, "session", "3.9", scenario, words, line(3), 2, { memory: noMemory() });

    await run.act({ crash: { broker: 1 } });
    vi.unstubAllGlobals();

    expect(fetching).toHaveBeenCalledTimes(1);
    expect([run.at, run.choices]).toEqual([3, [next]]);
  });

  it("inserts frames of another tab before its own, and moves to the last one", async () => {
    const run = open(
      { act: () => Promise.resolve(made([frame(4, 2), frame(5, 4)], { missed: [frame(3, 2)] })) },
      3,
      2,
    );

    await run.act({ settle: {} });

    expect(run.frames.map((one) => one.frame)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(run.at).toBe(5);
  });

  it("fetches what is more than one answer holds", async () => {
    const readTimeline = vi.fn(() =>
      Promise.resolve({ head: 5, total: 6, frames: [frame(4, 3), frame(5, 4)] }),
    );
    const run = open(
      { act: () => Promise.resolve(made([frame(3, 2)], { head: 5 })), readTimeline },
      3,
      2,
    );

    await run.act({ run: { ms: 60_000 } });

    expect(readTimeline).toHaveBeenCalledWith("session", 4);
    expect([run.frames.length, run.at]).toEqual([6, 5]);
  });

  it("drops what could happen after a frame that was left by acting", async () => {
    let late: (choices: Choice[]) => void = () => undefined;
    const next = { actor: "time", step: { settle: {} }, enabled: true } as unknown as Choice;
    const readChoices = (): Promise<Choice[]> => new Promise((resolve) => (late = resolve));
    const run = open(
      { readChoices, act: () => Promise.resolve(made([frame(3, 2)], { choices: [next] })) },
      3,
      1,
    );

    run.goToIndex(2);
    await run.act({ settle: {} });
    late([]);
    await Promise.resolve();

    expect(run.choices).toEqual([next]);
  });

  it("changes nothing where it is only stored", async () => {
    const act = vi.fn();
    const run = new Run(service({ act }), null, "3.9", scenario, words, line(2), 1);

    await run.act({ settle: {} });

    expect(run.readOnly).toBe(true);
    expect(act).not.toHaveBeenCalled();
  });

  it("opens one branch after the other, as far along as the one before", () => {
    const frames = [frame(0, null), frame(1, 0), frame(2, 1), frame(3, 1)];
    const run = new Run(service({}), "session", "3.9", scenario, words, frames, 2, {
      memory: noMemory(),
    });

    run.nextBranch();
    expect([run.at, run.branch?.tip]).toEqual([3, 3]);
    run.nextBranch();
    expect(run.branch?.tip).toBe(2);
  });

  it("inserts the frames of another tab and does not move", async () => {
    const run = open(
      {
        readSession: () => Promise.resolve({ frames: 4 } as Session),
        readTimeline: () => Promise.resolve({ head: 3, total: 4, frames: [frame(3, 1)] }),
      },
      3,
      2,
    );

    await run.refresh();

    expect(run.frames).toHaveLength(4);
    expect([run.at, run.branch?.tip]).toEqual([2, 2]);
  });

  it("waits to know what can happen before it does it, and does nothing once one has stepped on", async () => {
    const act = vi.fn(() => Promise.resolve(made([frame(2, 1)], { repeated: true })));
    const settle = { actor: "time", step: { settle: {} }, enabled: true } as unknown as Choice;
    const run = open({ act, readChoices: () => Promise.resolve([settle]) }, 3, 1);

    run.goToIndex(2);
    const first = run.actOn((choices) => choices[0]);
    run.goToIndex(1);
    const second = run.actOn((choices) => choices[0]);
    await Promise.all([first, second]);

    expect(act.mock.calls).toEqual([["session", 1, { settle: {} }, 3]]);
  });
});
