/** The addresses of a run and of a lesson. That of its page always identifies the shown moment. */

import { to } from "../addresses";
import type { Level } from "../trace/story";

/** The level at which a link opens: a message of a lesson, or `?level=message`; otherwise the story. */
export function levelOf(search: URLSearchParams): Level {
  return search.get("level") === "message" || search.has("message") ? "message" : "story";
}

/** A moment of a lesson, as everyone sees it. */
export interface LessonPlace {
  readonly lesson: string;
  /** Null for the release for which it was written. */
  readonly kafka: string | null;
  /** The step of its story. */
  readonly step: number;
  /** The number of the message in the step, from 1; null for the whole step. */
  readonly message: number | null;
}

/** What the address of a page shows: its path, and the parameters that it sets; null: that it lacks. */
export interface Address {
  readonly path: string;
  readonly search: Readonly<Record<string, string | null>>;
}

/** The page on which a lesson is read. */
export function addressOfLesson({ lesson, ...moment }: LessonPlace): Address {
  return {
    path: to(`/lessons/${encodeURIComponent(lesson)}`),
    search: { ...momentOf(moment), run: null, lesson: null, frame: null, level: null },
  };
}

/** The page of a run. One that began in a lesson names it, and so leads there when it has expired. */
export function addressOfRun(
  session: string,
  frame: number,
  level: Level,
  began: LessonPlace | null,
): Address {
  const lesson = began === null ? null : { lesson: began.lesson, ...momentOf(began) };
  const [path = "", named] = sessionAddress(session).split("?");
  return {
    path,
    search: {
      run: new URLSearchParams(named).get("run"),
      frame: String(frame),
      level: levelIn(level),
      ...(lesson ?? { lesson: null, step: null, kafka: null }),
      message: null,
    },
  };
}

/** The page of a share or of a recording, which is at its address already. */
export function addressOfStored(path: string, frame: number, level: Level): Address {
  return { path, search: { frame: String(frame), level: levelIn(level) } };
}

export function lessonAddress(place: LessonPlace): string {
  return written(addressOfLesson(place));
}

export function sessionAddress(
  session: string,
  frame: number | null = null,
  level: Level = "story",
): string {
  return frame === null
    ? to(`/x/${encodeURIComponent(session)}`)
    : written(addressOfRun(session, frame, level, null));
}

/** The lesson that the address of a run names; null if it names none. */
export function lessonIn(search: URLSearchParams): LessonPlace | null {
  const lesson = search.get("lesson") ?? "";
  if (!/^[a-z0-9-]{1,64}$/.test(lesson)) return null;
  const step = search.get("step") ?? "";
  return {
    lesson,
    kafka: search.get("kafka"),
    step: /^\d{1,6}$/.test(step) ? Number(step) : 0,
    message: null,
  };
}

/**
 * The address of a page at another moment, and with the compared run (an option's value, empty if
 * there is none). Parameters that only apply at the start are removed; others, such as the language,
 * stay.
 */
export function withPlace(here: string, { path, search }: Address, beside: string): URL {
  const url = new URL(path, here);
  const shown = { ...search, beside: beside === "" ? null : beside };
  const replaced = [...Object.keys(shown), "play", "under", "share", "find"];
  const kept = [...new URL(here).searchParams].filter(([name]) => !replaced.includes(name));
  url.search = new URLSearchParams([...givenIn(shown), ...kept]).toString();
  return url;
}

function written({ path, search }: Address): string {
  const given = givenIn(search);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

function givenIn(search: Address["search"]): [string, string][] {
  return Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== null);
}

/** A lesson's start has no step. */
function momentOf({ step, message, kafka }: Omit<LessonPlace, "lesson">): Address["search"] {
  return {
    step: step === 0 ? null : String(step),
    message: message === null ? null : String(message),
    kafka,
  };
}

/** A link to the story has no level. */
function levelIn(level: Level): string | null {
  return level === "message" ? level : null;
}
