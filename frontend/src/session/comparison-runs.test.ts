import { describe, expect, it, vi } from "vitest";

import { ApiError, type Api, type Session } from "../service/api";
import { line, noMemory, scenario, service, words } from "./fixtures";
import { Run } from "./run.svelte";

function open(answers: Partial<Api>, count = 3): Run {
  return new Run(service(answers), "session", "3.9", scenario, words, line(count), 0);
}

describe("the runs that a run can be compared with", () => {
  it("remembers the same steps under another version, in both directions", async () => {
    const memory = noMemory();
    const answers = {
      createSession: vi.fn(() => Promise.resolve({ id: "other", kafka: "0.11" } as Session)),
      readSession: () => Promise.resolve({ id: "other", kafka: "0.11" } as Session),
      readTimeline: () => Promise.resolve({ head: 1, total: 2, frames: line(2) }),
      readStory: () => Promise.resolve({ head: 1, story: [] }),
    };
    const run = new Run(service(answers), "session", "0.10.2", scenario, words, line(3), 1, {
      memory,
    });

    await run.comparisons.replayUnder("0.11");

    expect(answers.createSession).toHaveBeenCalledWith({
      session: "session",
      at: 2,
      kafka: "0.11",
    });
    expect([memory.read("session"), memory.read("other")]).toEqual([["other"], ["session"]]);
    const reloaded = new Run(service(answers), "session", "0.10.2", scenario, words, line(3), 1, {
      memory,
    });
    await reloaded.comparisons.restore();
    expect(
      reloaded.comparisons.versions.map((other) => [
        other.session,
        other.kafka,
        other.frames.length,
      ]),
    ).toEqual([["other", "0.11", 2]]);
  });

  it("remembers the same steps under the last other settings", async () => {
    const memory = noMemory();
    const answers = {
      createSession: () => Promise.resolve({ id: "other" } as Session),
      readTimeline: () => Promise.resolve({ head: 1, total: 2, frames: line(2) }),
      readStory: () => Promise.resolve({ head: 1, story: [] }),
    };
    const run = new Run(service(answers), "session", "3.9", scenario, words, line(3), 1, {
      memory,
    });
    const made = await run.comparisons.replayWith({
      configs: { "min.insync.replicas": 2 },
      producing: {},
      was: { "min.insync.replicas": 1 },
    });

    const reloaded = new Run(service(answers), "session", "3.9", scenario, words, line(3), 1, {
      memory,
    });
    await reloaded.comparisons.restore();

    expect(reloaded.comparisons.settings).toEqual(made);
    expect(reloaded.comparisons.versions).toEqual([]);
  });

  it("plays another scenario under its own release and controller, once, and is no other version of this one", async () => {
    const answers = {
      createSession: vi.fn(() =>
        Promise.resolve({
          id: "other",
          words: { title: { en: "Control", zh: "对照" } },
        } as unknown as Session),
      ),
      readSession: () =>
        Promise.resolve({ id: "session", kafka: "3.5", control: "kraft" } as Session),
      readTimeline: () => Promise.resolve({ head: 1, total: 2, frames: line(2) }),
      readStory: () => Promise.resolve({ head: 1, story: [] }),
    };
    const run = open(answers);

    const first = await run.comparisons.playScenario("noticed");
    const second = await run.comparisons.playScenario("noticed");

    expect(answers.createSession.mock.calls).toEqual([
      [{ scenario_id: "noticed", kafka: "3.5", control: "kraft" }],
    ]);
    expect([first?.title.en, first?.frames.length]).toEqual(["Control", 2]);
    expect(second).toBe(first);
    expect(run.comparisons.versions).toEqual([]);
  });

  it("reports an error if a scenario cannot be compared", async () => {
    const run = open({
      readSession: () => Promise.resolve({ kafka: "3.5", control: "kraft" } as Session),
      createSession: () =>
        Promise.reject(new ApiError(422, "invalid", "no scenario has this id or alias")),
    });

    expect(await run.comparisons.playScenario("nowhere")).toBeNull();
    expect([run.problem, run.busy]).toEqual(["no scenario has this id or alias", false]);
  });
});
