/** From a run to another one: the same steps under another release or other settings, and the steps that a search has found. */

import { placeBeside } from "../compare/place-beside";
import type { SearchResult } from "../service/search";
import type { ChangedSettings, OtherSettings, OtherVersion } from "../session/run.svelte";
import type { RunView } from "./run-view.svelte";

/** Opens a run of the same steps, as far along as this one is. */
export function openRun(view: RunView, other: OtherVersion | OtherSettings, index: number): void {
  const there = other.frames[Math.min(Math.max(index, 0), other.frames.length - 1)];
  view.reading.navigate(`/x/${other.session}?step=${String(there?.frame ?? 0)}`);
}

export async function openVersion(view: RunView, kafka: string): Promise<void> {
  const { run } = view;
  if (kafka === run.kafka) return;
  const { atEnd } = view;
  const other = await run.replayUnder(kafka);
  if (other !== null) openRun(view, other, atEnd ? other.frames.length - 1 : await placeBeside(run, other));
}

/** From the start under other settings: below this run, or in its place. */
export async function startAnew(view: RunView, changed: ChangedSettings, below: boolean): Promise<void> {
  const { index } = view.run;
  const other = await view.run.replayWith(changed);
  if (other === null) return;
  if (below) await view.beside.choose(`c${other.session}`);
  else openRun(view, other, index);
}

/** Does the steps that a search has found, and plays them from the first one on. */
export async function watchFound(view: RunView, found: SearchResult): Promise<void> {
  const { run } = view;
  const after = run.at;
  const ownStep = run.index;
  await run.follow(after, found.steps);
  if (run.problem !== null) return;
  if (found.return_until !== null) run.markNoReturn(run.path[ownStep + found.return_until]);
  if (found.steps.length === 0) {
    view.jump(run.noReturn ?? after);
    return;
  }
  run.goTo(after);
  view.player.play();
}
