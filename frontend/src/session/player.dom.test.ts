import { describe, expect, it, vi } from "vitest";

import type { Acted, Api, Choice } from "../service/api";
import type { Frame, StoryStep } from "../trace";
import { storyStep } from "../trace/fixtures";
import type { Stop } from "../trace/story";
import type { Clock } from "./clock";
import { Player, type Audience } from "./player.svelte";
import { Run } from "./run.svelte";

/** Frames of these steps, one after the other: [0, 1, 1, 2] is a start, a step of two messages and one of one. */
function framesOf(steps: readonly number[]): Frame[] {
  return steps.map(
    (step, number) =>
      ({
        frame: number,
        parent: number === 0 ? null : number - 1,
        depth: number,
        step,
        item: null,
        action: null,
        events: [],
        changes: [],
        state: {},
        properties: {},
      }) as unknown as Frame,
  );
}

function told(step: number, first: number, last: number): StoryStep {
  return storyStep(step, first, last, {
    title: { en: `step ${step}` },
    summary: { en: `Step ${step}.` },
  });
}

function clock(): Clock & { tick: () => void; waiting: () => boolean; waits: number[] } {
  let next: (() => void) | null = null;
  const waits: number[] = [];
  return {
    after: (ms, then) => {
      waits.push(ms);
      next = then;
      return () => {
        next = null;
      };
    },
    tick: () => {
      const due = next;
      next = null;
      due?.();
    },
    waiting: () => next !== null,
    waits,
  };
}

const scenario = { id: "s", kafka: "3.9", title: { en: "S", zh: "S" }, steps: [] };
const words = { title: scenario.title, summary: true, steps: [] };
const STEPS = [0, 1, 1, 1, 2];
const STORY = [told(0, 0, 0), told(1, 1, 3), told(2, 4, 4)];

function open(audience: Partial<Audience> = {}, api: Partial<Api> = {}, at = 0) {
  const answers = { readChoices: () => Promise.resolve([] as Choice[]), ...api } as unknown as Api;
  const run = new Run(answers, "session", "3.9", scenario, words, framesOf(STEPS), at, {
    story: STORY,
  });
  const timer = clock();
  const player = new Player(
    run,
    { said: () => "Said.", question: () => null, motion: () => false, ...audience },
    timer,
  );
  return { run, player, timer };
}

describe("going along a run", () => {
  it("by steps of the story leads to the end of the next one, and back to the end of the one before", () => {
    const { run, player } = open();

    player.forward();
    expect(run.index).toBe(3);
    expect(player.whole).toBe(true);
    player.forward();
    expect(run.index).toBe(4);
    player.backward();
    expect(run.index).toBe(3);
    player.backward();
    expect(run.index).toBe(0);
  });

  it("pausing ends what is passing where it was to end", () => {
    const { run, player, timer } = open({ motion: () => true });
    player.forward();
    expect([run.index, player.passing]).toEqual([1, true]);

    player.pause();

    expect([run.index, player.passing, timer.waiting()]).toEqual([3, false, false]);
  });

  it("by messages leads to the next one, and by the other level ends the step that is open", () => {
    const { run, player } = open();

    player.forward("message");
    expect([run.index, player.whole]).toEqual([1, false]);
    player.forward("story");
    expect(run.index).toBe(3);
    player.setLevel("message");
    player.backward();
    expect([run.index, player.whole]).toEqual([2, false]);
  });

  it("lets the messages of a step pass, and a second press ends that at once", () => {
    const { run, player, timer } = open({ motion: () => true });

    player.forward();
    expect([run.index, player.passing]).toEqual([1, true]);
    timer.tick();
    expect(run.index).toBe(2);
    player.forward();
    expect([run.index, player.passing]).toEqual([4, false]);
  });

  it("asks before it passes over a question, once", () => {
    const { run, player } = open({ question: () => "q1" });

    player.forward();
    expect([run.index, player.warned]).toEqual([0, true]);
    player.forward();
    expect(run.index).toBe(3);
  });
});

describe("a question without an answer", () => {
  /** The playhead is at the end of step 1, where the question is. */
  function asked() {
    const here = { index: -1 };
    const { run, player, timer } = open({
      question: () => (here.index === run.index ? "q1" : null),
    });
    player.goToIndex(3);
    here.index = 3;
    return { run, player, timer };
  }
  type Opened = ReturnType<typeof asked>;
  const FORWARD: Readonly<Record<string, (opened: Opened) => void>> = {
    "a key": ({ player }) => player.forward(),
    "a key for a message": ({ player }) => player.forward("message"),
    "a click on the timeline": ({ player }) => player.goToIndex(4),
    "a step's mark": ({ run, player }) => player.goToStop(run.stops[2] as Stop),
    "a message": ({ player }) => player.openMessage(4),
    playback: ({ player, timer }) => {
      player.toggle();
      timer.tick();
    },
  };

  it.each(Object.keys(FORWARD))("is skipped by %s only at the second attempt", (name) => {
    const opened = asked();
    const { run, player, timer } = opened;
    expect(player.warned).toBe(false);

    FORWARD[name]?.(opened);
    expect([run.index, player.warned, player.playing, player.level, timer.waiting()]).toEqual([
      3,
      true,
      false,
      "story",
      false,
    ]);
    FORWARD[name]?.(opened);
    expect(run.index).toBe(4);
  });

  it("does not hold back who goes back, or stays", () => {
    for (const back of [
      (player: Player) => player.backward(),
      (player: Player) => player.goToIndex(0),
      (player: Player) => player.goToIndex(3),
    ]) {
      const { player } = asked();
      back(player);
      expect(player.warned).toBe(false);
    }
  });

  it("at the end does not keep playback from beginning anew", () => {
    const { run, player } = open({ question: () => "q1" }, {}, 4);

    player.play();

    expect([run.index, player.playing]).toEqual([0, true]);
  });
});

describe("playing", () => {
  it("lets messages pass quickly, stays while a sentence is read, and stops at the end", () => {
    const { run, player, timer } = open({ motion: () => true, said: () => "x".repeat(100) });

    player.play();
    timer.tick();
    expect(run.index).toBe(1);
    timer.tick();
    timer.tick();
    expect([run.index, player.whole]).toEqual([3, true]);
    timer.tick();
    timer.tick();
    expect([player.playing, timer.waiting()]).toEqual([false, false]);
    const [start, first, second, end] = timer.waits;
    expect(first).toBe(second);
    expect(end).toBeGreaterThan((first ?? 0) * 5);
    expect(start).toBe(end);
  });

  it("goes from step to step where less motion is asked for", () => {
    const { run, player, timer } = open();

    player.play();
    timer.tick();
    expect(run.index).toBe(3);
  });

  it("stops at a question", () => {
    const asked = { at: -1 };
    const { run, player, timer } = open({ question: () => (asked.at === run.index ? "q" : null) });
    asked.at = 3;

    player.play();
    timer.tick();
    expect([run.index, player.playing, timer.waiting()]).toEqual([3, false, false]);
  });

  it("plays on at once after the question at which it stopped, but not after others", () => {
    const asked = { at: 3 };
    const { run, player, timer } = open({ question: () => (asked.at === run.index ? "q" : null) });
    player.play();
    timer.tick();
    asked.at = -1;

    player.onward();
    expect(run.index).toBeGreaterThan(3);
    expect(player.playing).toBe(true);

    player.pause();
    player.onward();
    expect(player.playing).toBe(false);
  });

  it("waits twice as long at half the speed", () => {
    const { player, timer } = open();

    player.play();
    player.setSpeed(0.5);
    expect(timer.waits[1]).toBe((timer.waits[0] ?? 0) * 2);
  });
});

describe("acting", () => {
  it("shows what was done from its first message to its end, with its words", async () => {
    const made = framesOf([...STEPS, 3, 3]).slice(5);
    const act = vi.fn(() =>
      Promise.resolve({
        head: 6,
        forked: false,
        repeated: false,
        frames: made,
        missed: [],
        total: 7,
        story: [told(3, 5, 6)],
        choices: [],
      } as unknown as Acted),
    );
    const { run, player, timer } = open({ motion: () => true }, { act }, 4);

    await player.act({ settle: {} });

    expect([run.index, player.passing]).toEqual([5, true]);
    timer.tick();
    expect([run.index, player.passing, player.stop?.title]).toEqual([6, false, { en: "step 3" }]);
    expect(run.stops.map((stop) => stop.title?.en)).toEqual([
      "step 0",
      "step 1",
      "step 2",
      "step 3",
    ]);
  });
});
