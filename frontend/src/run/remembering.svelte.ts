/** What is kept of a run while it is read: its address, and in this browser how far a lesson was seen. */

import { untrack } from "svelte";

import { keepDone, keepPlace } from "../learning/progress";
import { showInAddress } from "./address";
import type { RunView } from "./run-view.svelte";

/** Called while the page of the run is made; it lasts as long as the page. */
export function rememberPlace(view: RunView): void {
  const { run, known } = view;

  // Each branch has a story of its own.
  $effect(() => {
    void run.branch?.tip;
    untrack(() => void run.loadStory());
  });

  // This browser remembers which lessons were seen to their end, and where one was left.
  $effect(() => {
    const address = run.session === null ? null : `/x/${run.session}?step=${String(run.at)}`;
    const own = known.lesson?.id;
    if (own === undefined || address === null) return;
    if (view.lessonEnded) keepDone(own);
    else if (run.index > 0) keepPlace(own, address);
  });

  $effect(() => showInAddress(run.at));
}
