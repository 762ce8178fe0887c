/** Runs for tests, and a service that answers only what a test needs. */

import { api, type Api, type Choice, type ScenarioDocument } from "../service/api";
import type { Frame, StoryStep, Translated } from "../trace";
import { Run } from "./run.svelte";
import type { TabMemory } from "./tab-memory";

export function frame(number: number, parent: number | null): Frame {
  return {
    frame: number,
    parent,
    depth: parent === null ? 0 : parent + 1,
    item: null,
    action: null,
    events: [],
    changes: [],
    state: {},
    properties: {},
  } as unknown as Frame;
}

export function line(count: number): Frame[] {
  return Array.from({ length: count }, (_, index) => frame(index, index === 0 ? null : index - 1));
}

export function service(answers: Partial<Api>): Api {
  return { readChoices: () => Promise.resolve([] as Choice[]), ...answers } as unknown as Api;
}

export function noMemory(): TabMemory {
  const kept = new Map<string, readonly string[]>();
  return {
    read: (session) => kept.get(session) ?? [],
    write: (session, others) => void kept.set(session, others),
  };
}

export const scenario = { id: "s", kafka: "3.9", title: { en: "S", zh: "S" }, steps: [] };
export const words = { title: scenario.title, summary: true, steps: [] };

interface RunGiven {
  readonly at?: number;
  readonly session?: string | null;
  readonly title?: Translated;
  readonly steps?: ScenarioDocument["steps"];
  readonly story?: readonly StoryStep[];
  readonly shared?: Run["shared"];
}

/** A run of these frames under 0.10.2: stored and at its start, unless a test needs another one. */
export function runOf(
  frames: readonly Frame[],
  {
    at = 0,
    session = null,
    title = { en: "A record vanishes", zh: "消失的消息" },
    steps = [],
    story = [],
    shared = null,
  }: RunGiven = {},
): Run {
  const kafka = "0.10.2";
  const [about, words] = [
    { ...scenario, kafka, title, steps },
    { title, summary: true, steps: steps.map((_, item) => item) },
  ];
  return new Run(api, session, kafka, about, words, frames, at, { story, shared });
}
