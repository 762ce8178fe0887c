/** The author's words of a scenario, each at the frame that it speaks of. */

import { inLanguage } from "../language";
import type { Translated, Frame, Lang } from "../trace";

import type { ScenarioDocument, Words } from "../service/api";

export interface AuthorWord {
  readonly kind: "note" | "ask";
  readonly text: string;
  readonly answers: readonly string[];
  /** What each answer gets right or wrong; empty where the author does not say. */
  readonly reasons: readonly string[];
  readonly correct: number;
  /** Its name among all words of the run. */
  readonly key: string;
}

type Text = Translated | string;
type Note = Text;

interface Ask {
  readonly answers: readonly Text[];
  readonly reasons?: readonly Text[];
  readonly correct: number;
}

export function textOf(text: Text, lang: Lang): string {
  return inLanguage(text, lang);
}

/**
 * Words belong to the frame before them: to the last frame that the step before made. A branch that
 * leaves the scenario before that frame has none of them. What stands before the first step belongs
 * to the start. Only words that apply to the release are told.
 */
export function authorWordsAt(
  scenario: ScenarioDocument,
  frames: readonly (Frame | undefined)[],
  path: readonly number[],
  at: number,
  lang: Lang,
  applying: Words["steps"],
): AuthorWord[] {
  const lastOf = new Map<number, number>();
  frames.forEach((frame, number) => {
    if (frame?.item !== null && frame?.item !== undefined) lastOf.set(frame.item, number);
  });
  const onPath = new Set(path);
  const words: AuthorWord[] = [];
  let here: number | undefined = 0;
  scenario.steps.forEach((step, item) => {
    const note = step.note as Note | undefined;
    const ask = step.ask as Ask | undefined;
    if (note === undefined && ask === undefined) {
      if (step.expect === undefined) here = lastOf.get(item);
    } else if (here === at && onPath.has(at) && applying.includes(item)) {
      if (note !== undefined) words.push({ kind: "note", text: textOf(note, lang), answers: [], reasons: [], correct: 0, key: String(item) });
      if (ask !== undefined) {
        words.push({
          kind: "ask",
          text: inLanguage(ask as unknown as Translated, lang),
          answers: ask.answers.map((answer) => textOf(answer, lang)),
          reasons: (ask.reasons ?? []).map((reason) => textOf(reason, lang)),
          correct: ask.correct,
          key: String(item),
        });
      }
    }
  });
  return words;
}
