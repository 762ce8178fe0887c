import { describe, expect, it } from "vitest";

import type { Frame } from "../../trace";
import { frameAt, loss } from "../../trace/fixtures";
import { acknowledgementsShown } from "./acknowledgements";

/** In the frames, m1 is acknowledged in 4 and m2 in 7. */
const STEPS = [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3];

const frames = loss.map((frame, at) => ({ ...frame, step: STEPS[at] ?? 0 }));

/** A whole step as one picture: its end, with the events of all its messages. */
function whole(step: number): { frame: Frame; previous: Frame | null } {
  const own = frames.filter((frame) => frame.step === step);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`no step ${step}`);
  return {
    frame: { ...last, events: own.flatMap(({ events }) => events) },
    previous: frames[first.frame - 1] ?? null,
  };
}

/** The requests whose acknowledgements are shown at each place, one after the other. */
function shownAt(...places: (number | "step 1" | "step 2")[]): number[][] {
  const shown = acknowledgementsShown();
  return places.map((place) => {
    const { frame, previous } =
      typeof place === "number"
        ? { frame: frameAt(frames, place), previous: frames[place - 1] ?? null }
        : whole(place === "step 1" ? 1 : 2);
    return shown(frame, previous).map(({ request }) => request);
  });
}

describe("an acknowledgement", () => {
  it("goes from the leader's record to the request that it is about", () => {
    const [one] = acknowledgementsShown()(frameAt(frames, 7), frameAt(frames, 6));

    expect(one).toMatchObject({ request: 1, partition: "t-0", broker: 2, offset: 1 });
  });

  it("is shown at the message that brings it, and at the step as a whole", () => {
    expect(shownAt(6, 7)).toEqual([[], [1]]);
    expect(shownAt("step 1", "step 2")).toEqual([[0], [1]]);
  });

  it("stays while the other messages of its step pass, and does not depart again at their end", () => {
    const shown = acknowledgementsShown();
    const [departed] = shown(frameAt(frames, 7), frameAt(frames, 6));
    const passing = shown(frameAt(frames, 8), frameAt(frames, 7));
    const { frame, previous } = whole(2);

    expect(passing.map(({ id }) => id)).toEqual([departed?.id]);
    expect(shown(frame, previous).map(({ id }) => id)).toEqual([departed?.id]);
    expect(shown({ ...frame }, previous).map(({ id }) => id)).toEqual([departed?.id]);
  });

  it("departs again when one comes back to it", () => {
    const shown = acknowledgementsShown();
    const at = (index: number) =>
      shown(frameAt(frames, index), frameAt(frames, index - 1)).map(({ id }) => id);
    const [first] = at(7);
    at(8);
    const [second] = at(7);

    expect(second).toBeDefined();
    expect(second).not.toBe(first);
    expect(shownAt(8, 6, 7)).toEqual([[], [], [1]]);
  });

  it("ends with its step, and is not shown without a frame before", () => {
    expect(shownAt(7, 9)).toEqual([[1], []]);
    expect(acknowledgementsShown()(frameAt(frames, 7), null)).toEqual([]);
  });
});
