import { describe, expect, it, vi } from "vitest";

import { Assessing } from "../assess/assessing.svelte";
import { page, PAYMENTS } from "../assess/page-fixture";
import type { AssessmentQuestion } from "../service/assessments";
import type { Listener, News, Reading } from "../service/watch";
import { entriesOf, Watching } from "./watching.svelte";

function reading(number: number, about: Partial<Reading> = {}): Reading {
  return {
    number,
    at: `2026-01-01T00:00:0${String(number)}Z`,
    took_s: 0.1,
    failure: null,
    changes: [],
    brokers: 3,
    partitions: 12,
    ...about,
  };
}

const LEFT = { changes: [{ en: "t-0: 1 left the ISR" }] };
const AWAY = { failure: "refused" };

function live() {
  const asked: AssessmentQuestion[] = [];
  const ask = vi.fn((question: AssessmentQuestion) => {
    asked.push(question);
    return Promise.resolve(page([PAYMENTS]));
  });
  let listener: Listener<News> | null = null;
  const close = vi.fn();
  const read = vi.fn(() => Promise.reject(new Error("not asked here")));
  const watching = new Watching(
    new Assessing(ask),
    (one) => {
      listener = one;
      return close;
    },
    read,
  );
  const news = (...readings: readonly Reading[]): void =>
    listener?.onnews({ bootstrap: "a:1", interval_s: 5, reading_since: null, readings });
  return { asked, watching, news, read, close, listening: () => listener };
}

describe("the readings", () => {
  it("are told newest first, and those without news in a row once", () => {
    const entries = entriesOf([
      reading(1),
      reading(2),
      reading(3),
      reading(4, LEFT),
      reading(5, AWAY),
      reading(6, AWAY),
      reading(7),
    ]);

    expect(entries.map(({ kind, reading: { number }, count }) => [kind, number, count])).toEqual([
      ["unchanged", 7, 1],
      ["failed", 6, 2],
      ["changed", 4, 1],
      ["unchanged", 3, 2],
      ["first", 1, 1],
    ]);
  });
});

describe("a watched cluster", () => {
  it("is assessed at first and after a change, and otherwise only renamed", () => {
    const { asked, watching, news } = live();
    watching.open();

    news(reading(1));
    news(reading(2));
    expect(asked.map(({ reading: number }) => number)).toEqual([1]);
    expect(watching.assessing.asked).toEqual({ reading: 2 });
    news(reading(3, LEFT));

    expect(asked.map(({ reading: number }) => number)).toEqual([1, 3]);
  });

  it("keeps the last state while it is away, and a change while it was away counts", () => {
    const { asked, watching, news } = live();
    watching.open();
    news(reading(1));

    news(reading(2, AWAY));
    news(reading(3, AWAY));
    expect([watching.last?.number, watching.newest?.failure]).toEqual([1, "refused"]);
    expect(asked).toHaveLength(1);
    news(reading(4, LEFT));

    expect(watching.last?.number).toBe(4);
    expect(asked.at(-1)).toMatchObject({ reading: 4 });
  });

  it("begins anew if the program was started again, and not after a lost connection", () => {
    const { asked, watching, news, listening } = live();
    watching.open();
    news(reading(1), reading(2));

    listening()?.onstate("again");
    expect(watching.state).toBe("again");
    news(reading(1), reading(2), reading(3));
    expect([watching.state, watching.readings.length, asked.length]).toEqual(["there", 3, 1]);
    news(reading(1, { at: "2026-01-02T00:00:00Z" }));

    expect(watching.readings).toHaveLength(1);
    expect(asked.at(-1)).toMatchObject({ reading: 1 });
    expect(asked).toHaveLength(2);
  });

  it("draws the named partition in the chosen reading, and follows the newest again", () => {
    const { watching, news, read } = live();
    const close = watching.open();
    watching.partition = "t-7";
    news(reading(1), reading(2));
    watching.choose(1);
    news(reading(3));
    watching.choose(null);

    expect(read.mock.calls).toEqual([
      [2, "t-7"],
      [1, "t-7"],
      [3, "t-7"],
    ]);
    close();
  });
});
