/** Runs for tests, and a service that answers only what a test needs. */

import type { Api, Choice } from "../service/api";
import type { Frame } from "../trace";
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
