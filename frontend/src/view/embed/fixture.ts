/** A whole branch in one part, as the service would send it: for tests. */

import { DEFAULT_LANGUAGE } from "../../language";
import type { Catalogue, Frame, Lang, PlayerPart, PlayerRun, StoryStep } from "../../trace";
import { Branch } from "./branch.svelte";

export const BLOCK = 4;
export const LARGEST = 2 * BLOCK;

export function partOf(
  frames: readonly Frame[],
  story: readonly StoryStep[],
  catalogue: Catalogue,
  lang: Lang,
  from = 0,
  to = frames.length,
): PlayerPart {
  const own = frames.slice(from, to);
  return {
    from,
    frames: own,
    steps: story
      .filter(({ step }) => own.some((frame) => frame.step === step))
      .map(({ step, title, summary }) => ({
        step,
        title: title[lang] ?? "",
        summary: summary[lang] ?? "",
      })),
    texts: catalogue.languages[lang] ?? { events: {}, properties: {}, values: {} },
  };
}

export function runOf(
  frames: readonly Frame[],
  story: readonly StoryStep[],
  part: PlayerPart,
  title = "A record vanishes",
): PlayerRun {
  const steps = [...new Set(frames.map(({ step }) => step))];
  return {
    path: "/s/7h3k",
    query: "",
    counts: "frames",
    at: 0,
    level: "story",
    title,
    kafka: "0.10.2",
    outline: {
      total: frames.length,
      numbers: [[frames[0]?.frame ?? 0, frames.length]],
      lengths: steps.map((step) => frames.filter((frame) => frame.step === step).length),
      telling: {},
      marks: Object.fromEntries(story.map(({ step, marks }) => [step, marks])),
    },
    link: null,
    block: BLOCK,
    largest: LARGEST,
    part,
  };
}

export function branchOf(
  frames: readonly Frame[],
  story: readonly StoryStep[],
  catalogue: Catalogue,
  lang: Lang = DEFAULT_LANGUAGE,
  title?: string,
): Branch {
  return new Branch(runOf(frames, story, partOf(frames, story, catalogue, lang), title), lang, () =>
    Promise.reject(new Error("everything is there")),
  );
}
