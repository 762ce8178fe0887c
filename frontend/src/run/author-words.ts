/** The author's notes and questions, each at the frame that it is about. */

import { inLanguage } from "../language";
import { answerOrder } from "../learning/question-order";
import type { Translated, Frame, Lang } from "../trace";

import type { ScenarioDocument, Words } from "../service/api";

export interface AuthorWord {
  readonly kind: "note" | "ask";
  readonly text: string;
  readonly answers: readonly string[];
  /** The explanation of each answer; empty if the author gives none. */
  readonly reasons: readonly string[];
  readonly correct: number;
  /** Its name among all texts of the run. */
  readonly key: string;
}

type Text = Translated | string;

interface Ask {
  readonly answers: readonly Text[];
  readonly reasons?: readonly Text[];
  readonly correct: number;
}

/**
 * The author's texts by frame: the last frame of the step before the text. A branch that leaves the
 * scenario before that frame does not have the text. Texts before the first step belong to the
 * start. Only texts that apply to the release are included. Answers are in the order of the reader
 * with this seed.
 */
export function authorWords(
  scenario: ScenarioDocument,
  frames: readonly (Frame | undefined)[],
  path: readonly number[],
  lang: Lang,
  applying: Words["steps"],
  seed: string,
): ReadonlyMap<number, readonly AuthorWord[]> {
  const lastOf = new Map<number, number>();
  frames.forEach((frame, number) => {
    if (frame?.item !== null && frame?.item !== undefined) lastOf.set(frame.item, number);
  });
  const onPath = new Set(path);
  const words = new Map<number, AuthorWord[]>();
  let here: number | undefined = 0;
  const say = (at: number, word: AuthorWord): void =>
    void words.set(at, [...(words.get(at) ?? []), word]);
  scenario.steps.forEach((step, item) => {
    const note = step.note as Text | undefined;
    const ask = step.ask as Ask | undefined;
    if (note === undefined && ask === undefined) {
      if (step.expect === undefined) here = lastOf.get(item);
    } else if (here !== undefined && onPath.has(here) && applying.includes(item)) {
      if (note !== undefined)
        say(here, {
          kind: "note",
          text: inLanguage(note, lang),
          answers: [],
          reasons: [],
          correct: 0,
          key: String(item),
        });
      if (ask !== undefined) {
        const order = answerOrder(seed, `${scenario.id} ${String(item)}`, ask.answers.length);
        const ordered = (texts: readonly Text[]): string[] =>
          order.map((place) => inLanguage(texts[place] ?? "", lang));
        say(here, {
          kind: "ask",
          text: inLanguage(ask as unknown as Translated, lang),
          answers: ordered(ask.answers),
          reasons: ask.reasons === undefined ? [] : ordered(ask.reasons),
          correct: order.indexOf(ask.correct),
          key: String(item),
        });
      }
    }
  });
  return words;
}

/** The texts of a run by language, computed once for each language. */
export function authorWordsIn(
  read: (lang: Lang) => ReturnType<typeof authorWords>,
): (lang: Lang) => ReturnType<typeof authorWords> {
  const known = new Map<Lang, ReturnType<typeof authorWords>>();
  return (lang) => {
    const words = known.get(lang) ?? read(lang);
    known.set(lang, words);
    return words;
  };
}
