/** Opens the page of a run: of a lesson, a session, a share, a recording, or a link with the whole run. */

import { inLanguage } from "../language";
import { copyAddress, type ActionAfterFork } from "../run/action-after-fork";
import { levelOf, sessionAddress } from "../run/address";
import { api, type RecordedRun, type Session } from "../service/api";
import { keyOf } from "../service/kept-runs";
import { openFullStateLink } from "../service/open-full-state-link";
import type { Run } from "../session/run.svelte";
import { readFrames, type Frame, type StoryStep } from "../trace";
import { shown, type App, type Shown } from "./site-page";

interface Origin {
  readonly forkedFrom?: Session["forked_from"];
  /** The title and note of a share's author. */
  readonly note?: string | null;
  readonly recorded?: RecordedRun;
  /** The share that is copied before something in it changes. */
  readonly sid?: string;
}

async function loadParts() {
  const [{ default: RunPage }, { Run }, { LessonReading }] = await Promise.all([
    import("../run/RunPage.svelte"),
    import("../session/run.svelte"),
    import("../session/lesson-reading"),
  ]);
  /** The page of a run. */
  const page = (run: Run, app: App, { sid, ...origin }: Origin): Shown =>
    shown(
      RunPage,
      () => ({
        run,
        ...origin,
        catalogue: app.catalogue,
        onlanguage: app.ui.onlang,
        ontheme: app.ui.ontheme,
        onnavigate: app.go,
        onfork: sid === undefined ? null : (then: ActionAfterFork) => void fork(sid, then, app),
        messagesOpen: app.messagesOpen,
        onmessages: app.onmessages,
      }),
      { about: run, title: (lang) => inLanguage(run.words.title, lang) },
    );
  return { Run, LessonReading, page };
}

async function fork(sid: string, then: ActionAfterFork, app: App): Promise<void> {
  try {
    const session = await api.forkShare(sid);
    app.go(copyAddress(session.id, then));
  } catch (error) {
    app.fail(error);
  }
}

interface AskedSession {
  readonly session: string;
  readonly frame: number | null;
}

/** With `made`, for a run that was just created: nothing more has to be requested. */
export async function openSession(
  { session: id, frame }: AskedSession,
  app: App,
  made: Session | null = null,
): Promise<Shown> {
  const [session, timeline, { Run, page }] = await Promise.all([
    made ?? api.readSession(id),
    api.readTimeline(id, 0, app.onprogress),
    loadParts(),
  ]);
  const at = frame !== null && frame < timeline.frames.length ? frame : session.head;
  const { kafka, scenario, words } = session;
  const run = new Run(api, session.id, kafka, scenario, words, timeline.frames, at, {
    lessonId: session.scenario_id,
  });
  if (keyOf(session.id) === null)
    run.oncopy = (copy, place) =>
      app.go(sessionAddress(copy, place, levelOf(new URL(location.href).searchParams)));
  return page(run, app, { forkedFrom: session.forked_from ?? null });
}

interface AskedLesson {
  readonly scenario: string;
  readonly kafka: string | null;
  readonly step: number | null;
  readonly message: number | null;
  /** The same moment by the number of its frame, as in a run of the lesson. */
  readonly frame: number | null;
}

/** A lesson is read from files. Its session begins with the reader's first action. */
export async function openLesson(
  { scenario: name, kafka: asked, step, message, frame }: AskedLesson,
  app: App,
): Promise<Shown> {
  const [read, { Run, LessonReading, page }] = await Promise.all([
    api.readLessonRun(name, asked),
    loadParts(),
  ]);
  const { kafka, scenario, words, story, frames } = read;
  const lesson = new LessonReading(api, scenario.id, kafka);
  const at = step === null && frame !== null ? frame : frameOfStep(story, step ?? 0, message);
  const run = new Run(api, null, kafka, scenario, words, frames, at, {
    story,
    lesson,
    lessonId: scenario.id,
    simple: read.simple,
  });
  return page(run, app, {});
}

/** The frame of a message of a step, or its last; the last of the lesson if there is no such step. */
function frameOfStep(story: readonly StoryStep[], step: number, message: number | null): number {
  const told = story.find((one) => one.step === step) ?? story.at(-1);
  if (told === undefined) return 0;
  const { first_frame: first, last_frame: last } = told;
  return message === null ? last : Math.min(first + Math.max(message, 1) - 1, last);
}

export async function openLink(
  { fragment }: { readonly fragment: string },
  app: App,
): Promise<Shown> {
  const { session, at, level } = await openFullStateLink(api, fragment);
  history.replaceState(null, "", sessionAddress(session.id, at, level));
  return openSession({ session: session.id, frame: at }, app);
}

export async function openRecording(
  { name, frame }: { readonly name: string; readonly frame: number | null },
  app: App,
): Promise<Shown> {
  const [recorded, { Run, page }] = await Promise.all([api.readRecording(name), loadParts()]);
  const { kafka, scenario, words, story } = recorded;
  const frames = readFrames(recorded.frames);
  const run = new Run(api, null, kafka, scenario, words, frames, frame ?? 0, { story });
  return page(run, app, { recorded });
}

export async function openShare(
  { sid, frame }: { readonly sid: string; readonly frame: number | null },
  app: App,
): Promise<Shown> {
  const [share, { Run, page }] = await Promise.all([api.readShare(sid), loadParts()]);
  const frames = placed([...readFrames(share.frames), ...readFrames(share.other_frames)]);
  const tip = share.frames.at(-1)?.frame ?? 0;
  const at = frame !== null && frames[frame] !== undefined ? frame : share.at;
  const { kafka, scenario, words, story } = share;
  const run = new Run(api, null, kafka, scenario, words, frames, at, {
    story,
    shared: { sid: share.sid, tip },
  });
  return page(run, app, { sid: share.sid, forkedFrom: share.forked_from, note: share.note });
}

/** The frames of a share keep their numbers, so a share of one branch may have gaps. */
function placed(frames: readonly Frame[]): Frame[] {
  const byNumber: Frame[] = [];
  for (const frame of frames) byNumber[frame.frame] = frame;
  return byNumber;
}
