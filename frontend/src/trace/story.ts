/** A branch in the steps of its story: pure functions of its frames and of what the service tells. */

import type { Translated } from "../language";
import type { Frame, StoryStep } from "./frame";

export type StopMark = StoryStep["marks"][number];

/** Step size. */
export type Level = "story" | "message";
export const LEVELS: readonly Level[] = ["story", "message"];

export const STORY_SIGNS: Readonly<Record<StopMark, string>> = {
  loss: "✖",
  at_risk: "◐",
  surprise: "‼",
  truncation: "✂",
  election: "◆",
  isr: "▲",
  fault: "↯",
  acknowledgement: "✓",
  question: "?",
  note: "✎",
};

/** One step of the story on the branch shown; indices are places on the branch. */
export interface Stop {
  readonly step: number;
  readonly from: number;
  readonly to: number;
  /** Where that happens which tells most. */
  readonly telling: number;
  /** Null where the service has not told this branch. */
  readonly title: Translated | null;
  readonly summary: Translated | null;
  readonly marks: readonly StopMark[];
}

/** The steps that the frames of a branch belong to, in order. */
export function stopsOf(frames: readonly Frame[], story: readonly StoryStep[]): Stop[] {
  const told = new Map(story.map((step) => [step.first_frame, step]));
  const stops: Stop[] = [];
  for (let from = 0; from < frames.length; ) {
    const step = frames[from]?.step ?? 0;
    let to = from;
    while (to + 1 < frames.length && frames[to + 1]?.step === step) to += 1;
    const found = told.get(frames[from]?.frame ?? -1);
    let telling = from;
    while (telling <= to && frames[telling]?.frame !== found?.telling_frame) telling += 1;
    stops.push({
      step,
      from,
      to,
      telling: Math.min(telling, to),
      title: found?.title ?? null,
      summary: found?.summary ?? null,
      marks: found?.marks ?? [],
    });
    from = to + 1;
  }
  return stops;
}

/** The stop that a place on the branch belongs to. Stops stand in the order of the branch. */
export function stopAt(stops: readonly Stop[], index: number): Stop | undefined {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stops[middle]?.from ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  const stop = stops[low];
  return stop !== undefined && index >= stop.from && index <= stop.to ? stop : undefined;
}

/** The story after an action: what was told of the branch up to there, then what the action made. */
export function withToldSteps(known: readonly StoryStep[], news: readonly StoryStep[]): StoryStep[] {
  const first = news[0]?.step ?? Infinity;
  return [...known.filter((step) => step.step < first), ...news];
}

/**
 * A whole step as one picture: its end, with everything that happened on the way. What stood
 * before it is what it is compared to.
 */
export function sceneOf(frames: readonly Frame[], stop: Stop): { readonly frame: Frame; readonly previous: Frame | null } | null {
  const last = frames[stop.to];
  if (last === undefined) return null;
  const own = frames.slice(stop.from, stop.to + 1);
  return {
    frame: { ...last, events: own.flatMap((frame) => frame.events), changes: netChanges(own.flatMap((frame) => frame.changes)) },
    previous: stop.from === 0 ? null : (frames[stop.from - 1] ?? null),
  };
}

/** Of several changes of one thing, where it began and where it ended; what came back is left out. */
function netChanges(changes: Frame["changes"]): Frame["changes"] {
  const net = new Map<string, Frame["changes"][number]>();
  for (const change of changes) {
    const name = JSON.stringify([change.what, change.broker, change.subject]);
    const first = net.get(name);
    net.set(name, first === undefined ? change : { ...change, before: first.before });
  }
  return [...net.values()].filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}
