/** The words of a scenario's author, each at the frame that it speaks of. */

import type { Bilingual, Frame, Step } from "../trace";

export interface Note {
  readonly kind: "note";
  readonly text: Bilingual;
}

export interface Question {
  readonly kind: "question";
  /** Its place in the file: who has answered it has answered it on every branch. */
  readonly item: number;
  readonly text: Bilingual;
  readonly answers: readonly Bilingual[];
  readonly correct: number;
}

export type AuthorWord = Note | Question;

function bilingual(text: unknown): Bilingual | null {
  if (typeof text === "string") return { en: text, zh: text };
  if (typeof text !== "object" || text === null || !("en" in text) || !("zh" in text)) return null;
  const { en, zh } = text;
  return typeof en === "string" && typeof zh === "string" ? { en, zh } : null;
}

function wordOf(step: Step, item: number): AuthorWord | null {
  const note = bilingual(step.note);
  if (note !== null) return { kind: "note", text: note };
  const ask = step.ask;
  const text = bilingual(ask);
  if (text === null || typeof ask !== "object" || ask === null) return null;
  const { answers, correct } = ask as { answers?: unknown; correct?: unknown };
  if (!Array.isArray(answers) || typeof correct !== "number") return null;
  return { kind: "question", item, text, correct, answers: answers.map(bilingual).filter((answer) => answer !== null) };
}

/**
 * By frame of the path. Words belong to the last frame that the step before them made; those before the first step
 * belong to the start. What follows a step that this path does not have is not said on it.
 */
export function authorWords(steps: readonly Step[], path: readonly (Frame | undefined)[]): ReadonlyMap<number, readonly AuthorWord[]> {
  const lastOf = new Map<number, number>();
  for (const frame of path) if (frame !== undefined && frame.item !== null) lastOf.set(frame.item, frame.frame);
  const words = new Map<number, AuthorWord[]>();
  let here = path[0]?.depth === 0 ? path[0].frame : undefined;
  steps.forEach((step, item) => {
    const word = wordOf(step, item);
    if (word === null) {
      if (step.expect === undefined) here = lastOf.get(item);
    } else if (here !== undefined) {
      words.set(here, [...(words.get(here) ?? []), word]);
    }
  });
  return words;
}
