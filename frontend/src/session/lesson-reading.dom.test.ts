import { describe, expect, it, vi } from "vitest";

import type { Acted, Choice, Session } from "../service/api";
import { line, noMemory, scenario, service, words } from "./fixtures";
import { LessonReading } from "./lesson-reading";
import { Run } from "./run.svelte";

const STEP = { crash: { broker: 1 } };
const ACTED = {
  head: 3,
  total: 4,
  missed: [],
  frames: [],
  story: [],
  choices: [],
} as unknown as Acted;

function reading(answers: Parameters<typeof service>[0]) {
  const api = service(answers);
  const lesson = new LessonReading(api, "s26", "0.11");
  const origin = { memory: noMemory(), lesson, lessonId: "s26" };
  return new Run(api, null, "0.11", scenario, words, line(3), 1, origin);
}

describe("a lesson that is read", () => {
  it("begins a session with the first action, from the frame on the screen", async () => {
    const createSession = vi.fn(() => Promise.resolve({ id: "mine" } as Session));
    const act = vi.fn(() => Promise.resolve(ACTED));
    const readTimeline = () => Promise.resolve({ head: 3, total: 4, frames: line(4).slice(3) });
    const run = reading({ createSession, act, readTimeline });
    const left: (string | null)[] = [];
    run.onbegin = () => left.push(run.session);
    expect([run.readOnly, run.reading?.id, createSession.mock.calls]).toEqual([false, "s26", []]);

    await run.act(STEP);

    expect(createSession).toHaveBeenCalledWith({ scenario_id: "s26", kafka: "0.11" });
    expect(act).toHaveBeenCalledWith("mine", 1, STEP, 3);
    expect([left, run.session, run.reading, run.at]).toEqual([[null], "mine", null, 3]);
  });

  it("begins one session, however many ask for it", async () => {
    const createSession = vi.fn(() => Promise.resolve({ id: "mine" } as Session));
    const run = reading({ createSession });

    expect(await Promise.all([run.begin(), run.begin()])).toEqual(["mine", "mine"]);
    expect(await run.begin()).toBe("mine");
    expect(createSession).toHaveBeenCalledOnce();
  });

  it("stays one if its session cannot begin", async () => {
    const run = reading({ createSession: () => Promise.reject(new Error("away")) });

    await run.act(STEP);

    expect([run.session, run.problem, run.at]).toEqual([null, "away", 1]);
  });

  it("asks for its choices once, and again after a failure", async () => {
    const all = [[], [{ step: STEP }]] as unknown as Choice[][];
    const readLessonChoices = vi
      .fn<() => Promise<Choice[][]>>()
      .mockRejectedValueOnce(new Error("away"))
      .mockResolvedValue(all);
    const run = reading({ readLessonChoices });

    await run.refreshChoices();
    expect(run.problem).toBe("away");
    await run.refreshChoices();
    expect(run.choices).toEqual(all[1]);
    run.goTo(0);
    await run.choicesKnown();

    expect(run.choices).toEqual([]);
    expect(readLessonChoices).toHaveBeenCalledTimes(2);
  });

  it("is compared without a session, and with all of the reader's steps after one began", async () => {
    const played = { kafka: "3.9", frames: line(2), story: [] };
    const readLessonRun = vi.fn(() => Promise.resolve(played as never));
    const createSession = vi.fn(() => Promise.resolve({ id: "other", kafka: "3.9" } as Session));
    const run = reading({
      readLessonRun,
      createSession,
      readTimeline: () => Promise.resolve({ head: 2, total: 3, frames: line(3) }),
      readStory: () => Promise.resolve({ head: 2, story: [] }),
    });

    await run.comparisons.replayUnder("3.9");
    await run.comparisons.replayUnder("3.9");
    expect(readLessonRun.mock.calls).toEqual([["s26", "3.9"]]);
    expect(createSession).not.toHaveBeenCalled();
    run.session = "mine";
    await run.comparisons.replayUnder("3.9");

    expect(createSession).toHaveBeenCalledWith({ session: "mine", at: 2, kafka: "3.9" });
    expect(run.comparisons.versions.map(({ frames }) => frames.length)).toEqual([3]);
  });
});
