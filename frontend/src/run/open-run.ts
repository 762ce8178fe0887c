/**
 * Opens other runs: the same steps under another release or other settings, and the steps found by
 * a search.
 */

import { positionInOtherRun } from "../compare/position-in-other-run";
import type { SearchResult } from "../service/search";
import type {
  ChangedSettings,
  OtherSettings,
  OtherVersion,
} from "../session/comparison-runs.svelte";
import { lessonAddress, sessionAddress } from "./address";
import type { RunView } from "./run-view.svelte";

/** Opens a run of the same steps at one of its positions. */
function openRun(view: RunView, other: OtherVersion | OtherSettings, index: number): void {
  const at = Math.min(Math.max(index, 0), other.frames.length - 1);
  const there = other.frames[at];
  view.reading.navigate(
    other.session === null
      ? addressInLesson(view, other, at)
      : sessionAddress(other.session, there?.frame ?? 0, view.level),
  );
}

/** The same lesson under another release. */
function addressInLesson(
  { run, level }: RunView,
  { frames, kafka }: Pick<OtherVersion, "frames"> & { readonly kafka?: string },
  at: number,
): string {
  const step = frames[at]?.step ?? 0;
  const from = frames.findIndex((frame) => frame.step === step);
  return lessonAddress({
    lesson: run.lessonId ?? "",
    kafka: kafka === undefined || kafka === run.scenario.kafka ? null : kafka,
    step,
    message: level === "message" && step > 0 ? at - from + 1 : null,
  });
}

export async function openVersion(view: RunView, kafka: string): Promise<void> {
  const { run } = view;
  if (kafka === run.kafka) return;
  const { atEnd } = view;
  const other = await run.comparisons.replayUnder(kafka);
  if (other !== null)
    openRun(view, other, atEnd ? other.frames.length - 1 : await positionInOtherRun(run, other));
}

/** Replays from the start under other settings, below this run or in its place. */
export async function startAnew(
  view: RunView,
  changed: ChangedSettings,
  below: boolean,
): Promise<void> {
  const other = await view.run.comparisons.replayWith(changed);
  if (other === null) return;
  if (below) await view.beside.choose(`c${other.session}`);
  else openRun(view, other, 0);
}

/** Performs the steps found by a search, and plays them. */
export async function watchFound(view: RunView, found: SearchResult): Promise<void> {
  const { run } = view;
  const after = run.at;
  const ownStep = run.index;
  await run.follow(after, found.steps);
  if (run.problem !== null) return;
  if (found.return_until !== null)
    run.pointsOfNoReturn.mark(run.path[ownStep + found.return_until]);
  if (found.steps.length === 0) {
    view.jump(run.noReturn ?? after);
    return;
  }
  run.goTo(after);
  // A question there is about the lesson, not about what was found.
  view.narration.passOver();
  view.player.play();
}
