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
 * Every word of a run, by the frame that it belongs to: the frame before it, which is the last one that
 * the step before made. A branch that leaves the scenario before that frame has none of them. What
 * stands before the first step belongs to the start. Only words that apply to the release are told.
 */
export function authorWords(
  scenario: ScenarioDocument,
  frames: readonly (Frame | undefined)[],
  path: readonly number[],
  lang: Lang,
  applying: Words["steps"],
): ReadonlyMap<number, readonly AuthorWord[]> {
  const lastOf = new Map<number, number>();
  frames.forEach((frame, number) => {
    if (frame?.item !== null && frame?.item !== undefined) lastOf.set(frame.item, number);
  });
  const onPath = new Set(path);
  const words = new Map<number, AuthorWord[]>();
  let here: number | undefined = 0;
  const say = (at: number, word: AuthorWord): void => void words.set(at, [...(words.get(at) ?? []), word]);
  scenario.steps.forEach((step, item) => {
    const note = step.note as Note | undefined;
    const ask = step.ask as Ask | undefined;
    if (note === undefined && ask === undefined) {
      if (step.expect === undefined) here = lastOf.get(item);
    } else if (here !== undefined && onPath.has(here) && applying.includes(item)) {
      if (note !== undefined) say(here, { kind: "note", text: textOf(note, lang), answers: [], reasons: [], correct: 0, key: String(item) });
      if (ask !== undefined) {
        say(here, {
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

/** The words of a run in the languages that are asked for: read once in each, not at each place. */
export function authorWordsIn(read: (lang: Lang) => ReturnType<typeof authorWords>): (lang: Lang) => ReturnType<typeof authorWords> {
  const known = new Map<Lang, ReturnType<typeof authorWords>>();
  return (lang) => {
    const words = known.get(lang) ?? read(lang);
    known.set(lang, words);
    return words;
  };
}
