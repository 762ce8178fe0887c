import { screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { render } from "../language/render-fixture";
import type { SimpleView } from "../service/api";
import { runOf } from "../session/fixtures";
import type { Frame } from "../trace";
import { frameAt, loss } from "../trace/fixtures";
import { viewOf } from "./run-page-fixture";
import SimpleLesson from "./SimpleLesson.svelte";

const introduced = (term: string, says: string, note: number) => ({
  term,
  words: { en: [term] },
  explanation: { en: says },
  note: { en: note },
});
const simple = {
  parts: [],
  new_parts: [],
  introduces: [
    introduced("leader", "takes every write", 0),
    introduced("follower", "asks for more", 2),
  ],
  path: [{ id: "s", title: { en: "S" }, names: { en: ["leader"] } }],
  next: "t",
} as unknown as SimpleView;

/** A run with a note at its start and one after its first step. */
function showAt(step: number): void {
  const frames = [0, 1].map((number) => ({
    ...frameAt(loss, 0),
    frame: number,
    parent: number === 0 ? null : 0,
    depth: number,
    step: number,
    item: number === 0 ? null : 1,
  })) as unknown as Frame[];
  const run = runOf(frames, {
    at: step,
    steps: [
      { note: { en: "Broker 1 is the leader, by leadership. The followership is empty." } },
      { fetch: { broker: 2 } },
      {
        note: { en: "A followership of one: the follower asks the leader. A follower asks again." },
      },
    ],
  });
  const frame = frames[step];
  if (frame !== undefined) render(SimpleLesson, { props: { view: viewOf(run), frame, simple } });
}

const newWords = () => screen.queryAllByRole("term").map((term) => term.lastChild?.textContent);
const beforeHighlight = () => {
  const range = document.createRange();
  const [note, word] = [document.querySelector(".note"), document.querySelector(".note b")];
  if (note !== null) range.setStart(note, 0);
  if (word !== null) range.setEndBefore(word);
  return range.toString();
};
const highlighted = () =>
  [...document.querySelectorAll(".note b")].map(({ textContent }) => textContent);

describe("the new words of a simple view", () => {
  it("are those of the step", () => {
    showAt(0);

    expect(newWords()).toEqual([" leader"]);
    expect(highlighted()).toEqual(["leader"]);
  });

  it("are new in the note that introduces them, as whole words, and once", () => {
    showAt(1);

    expect(newWords()).toEqual([" follower"]);
    expect(highlighted()).toEqual(["follower"]);
    expect(beforeHighlight()).toBe("A followership of one: the ");
  });
});
