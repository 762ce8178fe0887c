/** The moment that is sent to followers. */

import { say } from "languages:present";
import type { AskedQuestion, MomentShown } from "../service/api";
import type { Lang } from "../trace";
import type { MessagePlace } from "../trace/story";

/** A question in one language. */
export interface OwnQuestion {
  readonly key: string;
  readonly text: string;
  readonly answers: readonly string[];
  /** The explanation of each answer; empty if the author gives none. */
  readonly reasons: readonly string[];
  readonly correct: number;
}

/** The same question in every language that has it; null if there is none. */
export function questionIn(
  languages: readonly string[],
  questionOf: (lang: string) => OwnQuestion | null,
): AskedQuestion | null {
  const asked = languages.flatMap((lang) => {
    const question = questionOf(lang);
    return question === null ? [] : [{ lang, question }];
  });
  const first = asked[0]?.question;
  if (first === undefined) return null;
  const same = asked.filter(({ question }) => question.key === first.key);
  const each = (part: "answers" | "reasons") =>
    first[part].map((_, choice) =>
      Object.fromEntries(same.map(({ lang, question }) => [lang, question[part][choice] ?? ""])),
    );
  return {
    key: first.key,
    text: Object.fromEntries(same.map(({ lang, question }) => [lang, question.text])),
    answers: each("answers"),
    correct: first.correct,
    reasons: first.reasons.length > 0 ? each("reasons") : null,
  };
}

/** A place with its message, if the step is not shown as a whole. */
export function withMessage(place: string, message: MessagePlace | null, lang: Lang): string {
  return message === null ? place : `${place} · ${say(lang, "messageOf", { ...message })}`;
}

export function momentOf(
  place: Pick<MomentShown, "first" | "frame" | "whole" | "message" | "messages">,
  question: AskedQuestion | null,
  shown: { readonly revealed: boolean; readonly black: boolean },
): MomentShown {
  return {
    ...place,
    question,
    revealed: question !== null && shown.revealed,
    black: shown.black,
  };
}
