import { describe, expect, it } from "vitest";

import type { Frame } from "../trace";

import type { Insights, LossRow } from "./api";
import { authorWordsAt } from "./author";
import { axisEnd, compareVersions, percent, rowsOf, worstOf } from "./insights-layout";
import { addressOf, snippetFor } from "./snippets";

const shared = {
  url: "https://example.org/s/abc",
  embed_url: "https://example.org/e/v1/s/abc",
  svg_url: "https://example.org/s/abc.svg",
  title: 'Two "logs"',
  at: 13,
  look: "auto",
} as const;

describe("snippets", () => {
  it("opens at the step and pins the theme only where one is chosen", () => {
    expect(addressOf(shared.url, 13)).toBe("https://example.org/s/abc?step=13");
    expect(addressOf(shared.url, 13, "dark")).toBe("https://example.org/s/abc?step=13&theme=dark");
  });

  it("escapes the title in HTML and sandboxes the frame", () => {
    const html = snippetFor("html", shared);

    expect(html).toContain('title="Two &quot;logs&quot;"');
    expect(html).toContain('sandbox="allow-scripts');
  });

  it("is a linked picture in Markdown and an element with a picture inside", () => {
    expect(snippetFor("markdown", shared)).toBe('[![Two "logs"](https://example.org/s/abc.svg?step=13&theme=light)](https://example.org/s/abc?step=13)');
    expect(snippetFor("element", shared)).toContain('src="https://example.org/embed/v1.js"');
  });
});

describe("the author's words", () => {
  const scenario = {
    id: "s",
    title: { en: "", zh: "" },
    steps: [
      { note: { en: "before", zh: "之前" } },
      { crash: { broker: 1 } },
      { note: { en: "after", zh: "之后" } },
      { expect: {} },
      { ask: { en: "why", zh: "为何" , answers: ["a", { en: "b", zh: "乙" }], correct: 1 } },
    ],
  };
  const frames = [{ frame: 0, item: null }, { frame: 1, item: 1 }, { frame: 2, item: 1 }] as unknown as Frame[];

  it("stand at the last frame of the step before them", () => {
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 0, "en").map((words) => words.text)).toEqual(["before"]);
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 1, "en")).toEqual([]);
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 2, "zh").map((words) => words.text)).toEqual(["之后", "为何"]);
    expect(authorWordsAt(scenario, frames, [0, 1, 2], 2, "zh")[1]?.answers).toEqual(["a", "乙"]);
  });

  it("are not told on a branch that never made the step", () => {
    expect(authorWordsAt(scenario, frames, [0], 0, "en").map((words) => words.text)).toEqual(["before"]);
  });
});

describe("insights", () => {
  const row = (kafka: string, lost: number, rate: number): LossRow =>
    ({ dimension: "version", kafka, acks: null, exercised: 10, lost, rate, low: rate / 2, high: rate + 0.15 }) as LossRow;

  it("orders versions as releases, not as text", () => {
    expect(["2.0.1", "0.10.2", "3.9", "0.11", "2.0.0"].sort(compareVersions)).toEqual(["0.10.2", "0.11", "2.0.0", "2.0.1", "3.9"]);
  });

  it("ends its axis where every interval fits, and begins at zero", () => {
    expect(axisEnd([row("3.9", 1, 0.2)])).toBe(0.4);
    expect(axisEnd([])).toBe(0.1);
  });

  it("names the version that lost most often, and none where none did", () => {
    expect(worstOf([row("3.9", 1, 0.1), row("0.10.2", 5, 0.5)])?.kafka).toBe("0.10.2");
    expect(worstOf([row("3.9", 0, 0)])).toBeNull();
  });

  it("shows only what was exercised", () => {
    const insights = { loss: [row("3.9", 0, 0), { ...row("2.1", 0, 0), exercised: 0 }] } as unknown as Insights;

    expect(rowsOf(insights, "version").map((one) => one.kafka)).toEqual(["3.9"]);
    expect(percent(0.052)).toBe("5.2 %");
  });
});
