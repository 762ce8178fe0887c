/** A branch as the steps of its story: pure functions of its frames and of the service's story. */

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
  divergence: "≠",
  truncation: "✂",
  election: "◆",
  isr: "▲",
  fault: "↯",
  acknowledgement: "✓",
  question: "?",
  note: "✎",
};

/** One step of the story on the shown branch; indexes are positions on the branch. */
export interface Stop {
  readonly step: number;
  readonly from: number;
  readonly to: number;
  /** The position of its most important frame. */
  readonly telling: number;
  /** Null if the story of this branch is not loaded. */
  readonly title: Translated | null;
  readonly summary: Translated | null;
  readonly marks: readonly StopMark[];
  /** The positions of each mark; an embed does not know them. */
  readonly markedAt?: Readonly<Partial<Record<StopMark, readonly number[]>>>;
  /** How many records, elections and so on each mark stands for; an embed does not know them. */
  readonly counts?: Readonly<Partial<Record<StopMark, number>>>;
}

/** The steps of a branch's frames, in order. */
export function stopsOf(frames: readonly Frame[], story: readonly StoryStep[]): Stop[] {
  const stories = new Map(story.map((step) => [step.first_frame, step]));
  return stepsIn(frames).map((step) => {
    const { from, to } = step;
    const told = stories.get(frames[from]?.frame ?? -1);
    return {
      ...step,
      telling: (told && positionOf(told.telling_frame, frames, from, to)) ?? to,
      title: told?.title ?? null,
      summary: told?.summary ?? null,
      marks: told?.marks ?? [],
      markedAt: positionsOf(told?.mark_frames ?? {}, frames, from, to),
      counts: told?.mark_counts ?? {},
    };
  });
}

/** The steps of a branch, with the positions of their first and last frames. */
function stepsIn(frames: readonly Frame[]): Pick<Stop, "step" | "from" | "to">[] {
  const starts = [...frames.keys()].filter((at) => frames[at]?.step !== frames[at - 1]?.step);
  return starts.map((from, index) => ({
    step: frames[from]?.step ?? 0,
    from,
    to: (starts[index + 1] ?? frames.length) - 1,
  }));
}

/** The position of a frame among those of one step. */
function positionOf(
  number: number,
  frames: readonly Frame[],
  from: number,
  to: number,
): number | undefined {
  const at = frames.slice(from, to + 1).findIndex(({ frame }) => frame === number);
  return at < 0 ? undefined : from + at;
}

/** The positions, among those of one step, of the frames of each mark. */
function positionsOf(
  marks: StoryStep["mark_frames"],
  frames: readonly Frame[],
  from: number,
  to: number,
): NonNullable<Stop["markedAt"]> {
  const kinds = Object.entries(marks);
  if (kinds.length === 0) return {};
  const positions = new Map(frames.slice(from, to + 1).map(({ frame }, at) => [frame, from + at]));
  return Object.fromEntries(
    kinds.map(([mark, numbers]) => [
      mark,
      numbers.map((number) => positions.get(number)).filter((at) => at !== undefined),
    ]),
  );
}

/** The stop of a position on the branch. */
export function stopAt(stops: readonly Stop[], index: number): Stop | undefined {
  return stops.find(({ from, to }) => index >= from && index <= to);
}

/** The number of a message in its step, and how many that has. */
export interface MessagePlace {
  readonly message: number;
  readonly messages: number;
}

/** The message of a step at a position; null if the step is shown as a whole, or has only one. */
export function messageAt(
  step: { readonly from: number; readonly to: number } | undefined,
  index: number,
  whole: boolean,
): MessagePlace | null {
  if (step === undefined || whole || step.from === step.to) return null;
  return { message: index - step.from + 1, messages: step.to - step.from + 1 };
}

/** The story after an action: the known steps of the branch, followed by the new ones. */
export function withToldSteps(
  known: readonly StoryStep[],
  news: readonly StoryStep[],
): StoryStep[] {
  const first = news[0]?.step ?? Infinity;
  return [...known.filter((step) => step.step < first), ...news];
}

/**
 * A whole step as one picture: its end, with all events of the step, compared with the state before
 * it.
 */
export function sceneOf(
  frames: readonly Frame[],
  stop: Stop,
): { readonly frame: Frame; readonly previous: Frame | null } | null {
  const last = frames[stop.to];
  if (last === undefined) return null;
  const own = frames.slice(stop.from, stop.to + 1);
  return {
    frame: {
      ...last,
      events: own.flatMap((frame) => frame.events),
      changes: netChanges(own.flatMap((frame) => frame.changes)),
    },
    previous: stop.from === 0 ? null : (frames[stop.from - 1] ?? null),
  };
}

/**
 * Merges several changes of one value into the first and last value; reverted changes are omitted.
 */
function netChanges(changes: Frame["changes"]): Frame["changes"] {
  const net = new Map<string, Frame["changes"][number]>();
  for (const change of changes) {
    const name = JSON.stringify([change.what, change.partition, change.broker, change.subject]);
    const first = net.get(name);
    net.set(name, first === undefined ? change : { ...change, before: first.before });
  }
  return [...net.values()].filter(
    (change) => JSON.stringify(change.before) !== JSON.stringify(change.after),
  );
}
