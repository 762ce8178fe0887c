/** A question as a screen reader announces it: on the page of a run, to the presenter and to the followers. */

import { untrack } from "svelte";

import { inLanguage } from "../language";
import { say } from "languages:present";
import type { AskedQuestion } from "../service/api";
import type { Announcer } from "../session/announcer.svelte";
import type { Lang } from "../trace";
import { countVotes } from "./vote-count";

/** The mark of an answer on the screen: the number of its key, or its letter in a presentation. */
export type AnswerMark = (choice: number) => string;
export const NUMBERS: AnswerMark = (choice) => String(choice + 1);
export const LETTERS: AnswerMark = (choice) => String.fromCharCode(65 + choice);

export function spokenQuestion(
  question: { readonly text: string; readonly answers: readonly string[] },
  mark: AnswerMark,
  lang: Lang,
): string {
  return say(lang, "asked", {
    question: question.text,
    answers: question.answers.map((answer, choice) => marked(answer, choice, mark)).join(" "),
  });
}

interface Answered {
  readonly revealed: boolean;
  readonly votes: readonly number[] | null;
  readonly chosen?: number | null;
}

/** Announces a question, and its answers once they are revealed; null: there is none. For an effect. */
export function announceQuestion(
  spoken: Announcer,
  question: AskedQuestion | null,
  answered: Answered,
  lang: Lang,
): (() => void) | undefined {
  const { revealed, votes } = answered;
  const [place, words] =
    question === null
      ? ["", ""]
      : [
          `${question.key} ${revealed} ${votes !== null} ${lang}`,
          spokenAnswers(question, answered, lang),
        ];
  return untrack(() => spoken.at(place, words));
}

/** The question of a presentation; once its answers are revealed, the right one, the counts and the answer chosen on this page. */
export function spokenAnswers(
  question: AskedQuestion,
  { revealed, votes, chosen = null }: Answered,
  lang: Lang,
): string {
  const answers = question.answers.map((answer) => inLanguage(answer, lang));
  if (!revealed)
    return spokenQuestion({ text: inLanguage(question.text, lang), answers }, LETTERS, lang);
  const answerAt = (choice: number): string => marked(answers[choice] ?? "", choice, LETTERS);
  const counts = countVotes(answers.length, votes) ?? [];
  return [
    ...(question.correct === null
      ? []
      : [say(lang, "rightIs", { answer: answerAt(question.correct) })]),
    ...counts.map(({ count, total }, choice) =>
      say(lang, "votesOf", { answer: LETTERS(choice), count, total }),
    ),
    ...(chosen === null ? [] : [say(lang, "yoursIs", { answer: answerAt(chosen) })]),
  ].join(" ");
}

function marked(answer: string, choice: number, mark: AnswerMark): string {
  return `${mark(choice)}. ${answer}`;
}
