/** What is kept of a run while it is read: its address, and in this browser how far a lesson was seen. */

import { untrack } from "svelte";

import { keepDone, keepPlace } from "../learning/progress";
import { Resting } from "../session/resting";
import { showInAddress } from "./address";
import type { RunView } from "./run-view.svelte";

/** Called while the page of the run is made; it lasts as long as the page. */
export function rememberPlace(view: RunView): void {
  const { run, known } = view;
  const resting = new Resting();

  // Each branch has a story of its own.
  $effect(() => {
    void run.branch?.tip;
    untrack(() => void run.loadStory());
  });

  // Who passes many places leaves a trace of those at which they rest.
  $effect(() => {
    const address = run.session === null ? null : `/x/${run.session}?step=${String(run.at)}`;
    const own = known.lesson?.id;
    const { at } = run;
    const { lessonEnded } = view;
    const passed = run.index > 0;
    // This browser remembers which lessons were seen to their end, and where one was left.
    if (own !== undefined && lessonEnded) keepDone(own);
    resting.do(() => {
      showInAddress(at);
      if (own !== undefined && address !== null && passed && !lessonEnded) keepPlace(own, address);
    });
  });
  $effect(() => {
    const flush = (): void => resting.flush();
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      resting.drop();
    };
  });
}
