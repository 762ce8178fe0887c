import { describe, expect, it, vi } from "vitest";

import { Playback, STEP_MS, type Clock } from "./playback";

/** A clock that goes when it is told to. */
function handClock(): Clock & { pass: (ms: number) => void; waiting: () => number } {
  let now = 0;
  let alarms: { at: number; then: () => void }[] = [];
  return {
    after: (ms, then) => {
      const alarm = { at: now + ms, then };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((other) => other !== alarm);
      };
    },
    pass: (ms) => {
      const until = now + ms;
      for (;;) {
        const due = alarms.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
        if (due === undefined) break;
        alarms = alarms.filter((other) => other !== due);
        now = due.at;
        due.then();
      }
      now = until;
    },
    waiting: () => alarms.length,
  };
}

function tape(length: number, at = 0) {
  const clock = handClock();
  const place = { at };
  const changed = vi.fn();
  const playback = new Playback(
    { atEnd: () => place.at === length, advance: () => (place.at += 1), rewind: () => (place.at = 0) },
    clock,
    changed,
  );
  return { playback, clock, place, changed };
}

describe("playback", () => {
  it("takes a step after each pause, and stops at the end", () => {
    const { playback, clock, place } = tape(3);

    playback.play();
    clock.pass(STEP_MS - 1);
    expect(place.at).toBe(0);
    clock.pass(1);
    expect(place.at).toBe(1);
    clock.pass(10 * STEP_MS);

    expect(place.at).toBe(3);
    expect(playback.playing).toBe(false);
    expect(clock.waiting()).toBe(0);
  });

  it("plays four steps in the time of one at 4×, and changes speed between two steps", () => {
    const { playback, clock, place } = tape(50);

    playback.setSpeed(4);
    playback.play();
    clock.pass(STEP_MS);
    expect(place.at).toBe(4);
    playback.setSpeed(0.25);
    clock.pass(4 * STEP_MS - 1);
    expect(place.at).toBe(4);
    clock.pass(1);

    expect(place.at).toBe(5);
    expect(clock.waiting()).toBe(1);
  });

  it("stands still once paused", () => {
    const { playback, clock, place } = tape(5);

    playback.play();
    clock.pass(STEP_MS);
    playback.pause();
    clock.pass(5 * STEP_MS);

    expect(place.at).toBe(1);
  });

  it("begins anew from the end, and does not begin where there is nothing to play", () => {
    const played = tape(2, 2);
    played.playback.play();
    expect(played.place.at).toBe(0);
    expect(played.playback.playing).toBe(true);

    const empty = tape(0);
    empty.playback.play();
    expect(empty.playback.playing).toBe(false);
    expect(empty.changed).not.toHaveBeenCalled();
  });

  it("stays paused when the step itself pauses", () => {
    const clock = handClock();
    const playback: Playback = new Playback({ atEnd: () => false, advance: () => playback.pause(), rewind: () => undefined }, clock);

    playback.play();
    clock.pass(STEP_MS);

    expect(clock.waiting()).toBe(0);
  });
});
