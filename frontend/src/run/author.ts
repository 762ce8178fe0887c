/** The author's words of a scenario, each at the frame that it speaks of. */

import type { Bilingual, Frame, Lang } from "../trace";

import type { ScenarioDocument, Told } from "../service/api";

export interface AuthorWord {
  readonly kind: "note" | "ask";
  readonly text: string;
  readonly answers: readonly string[];
  readonly correct: number;
}

type Text = Bilingual | string;
type Note = (Bilingual & Told) | string;

interface Ask extends Bilingual, Told {
  readonly answers: readonly Text[];
  readonly correct: number;
}

export function textOf(text: Text, lang: Lang): string {
  return typeof text === "string" ? text : text[lang];
}

/** The release and the controller that a run is of. */
export interface Release {
  readonly kafka: string;
  readonly control: string;
}

/** Whether words are told of a release: the same rule as `sim_engine/scenarios/told.py`. */
export function isToldOf(words: Told, { kafka, control }: Release): boolean {
  const version = parts(kafka);
  if (words.since !== undefined && compare(version, parts(words.since)) < 0) return false;
  if (words.until !== undefined) {
    const last = parts(words.until);
    if (compare(version.slice(0, last.length), last) > 0) return false;
  }
  return words.control === undefined || words.control === control;
}

/** A lesson's title; where it is not told of this release, with the one that it is told of. */
export function titleUnder(scenario: ScenarioDocument, release: Release, lang: Lang): string {
  const title = textOf(scenario.title, lang);
  if (isToldOf(scenario.told ?? {}, release)) return title;
  return lang === "zh" ? `${title}（讲的是 Kafka ${scenario.kafka}）` : `${title} (told of Kafka ${scenario.kafka})`;
}

function told(words: Note | Ask | undefined): Told {
  return typeof words === "object" ? words : {};
}

function parts(version: string): number[] {
  return version.split(".").map(Number);
}

/** Missing parts count as 0. */
function compare(one: readonly number[], other: readonly number[]): number {
  for (let place = 0; place < Math.max(one.length, other.length); place += 1) {
    const difference = (one[place] ?? 0) - (other[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Words belong to the frame before them: to the last frame that the step before made, on this path.
 * What stands before the first step belongs to the start. Words of other releases are left out.
 */
export function authorWordsAt(
  scenario: ScenarioDocument,
  frames: readonly (Frame | undefined)[],
  path: readonly number[],
  at: number,
  lang: Lang,
  release: Release,
): AuthorWord[] {
  const lastOf = new Map<number, number>();
  for (const number of path) {
    const item = frames[number]?.item;
    if (item !== null && item !== undefined) lastOf.set(item, number);
  }
  const words: AuthorWord[] = [];
  let here: number | undefined = 0;
  scenario.steps.forEach((step, item) => {
    const note = step.note as Note | undefined;
    const ask = step.ask as Ask | undefined;
    if (note === undefined && ask === undefined) {
      if (step.expect === undefined) here = lastOf.get(item);
    } else if (here === at && isToldOf(told(note ?? ask), release)) {
      if (note !== undefined) words.push({ kind: "note", text: textOf(note, lang), answers: [], correct: 0 });
      if (ask !== undefined) {
        words.push({
          kind: "ask",
          text: ask[lang],
          answers: ask.answers.map((answer) => textOf(answer, lang)),
          correct: ask.correct,
        });
      }
    }
  });
  return words;
}
