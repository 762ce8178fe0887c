/** Saves the position in a run: in the address, and for a lesson also in this browser. */

import { untrack } from "svelte";

import { keepDone, keepPlace } from "../learning/progress";
import { IdleWork } from "../session/idle-work";
import { beforeLeaving } from "../session/leaving";
import { sessionAddress, showInAddress } from "./address";
import type { RunView } from "./run-view.svelte";

/** Called when the page of the run is created; active as long as the page. */
export function savePlace(view: RunView): void {
  const { run, pageData } = view;
  const idleWork = new IdleWork();
  // While the next page is loaded, or after Back, this page is still shown under the other address.
  const { pathname } = location;

  // Each branch has its own story.
  $effect(() => {
    void run.branch?.tip;
    untrack(() => void run.loadStory());
  });

  // Only positions at which the playhead rests are saved.
  $effect(() => {
    const address = run.session === null ? null : sessionAddress(run.session, run.at, view.level);
    const own = pageData.lesson?.id;
    const { at } = run;
    const { lessonEnded, level } = view;
    const { value } = view.beside;
    const passed = run.index > 0;
    // This browser stores finished lessons and the position in the unfinished one.
    if (lessonEnded) view.narration.endKnown = true;
    if (own !== undefined && lessonEnded) keepDone(own);
    idleWork.do(() => {
      if (location.pathname === pathname) showInAddress(at, level, value);
      if (own !== undefined && address !== null && passed && !lessonEnded) keepPlace(own, address);
    });
  });
  $effect(() => {
    const stop = beforeLeaving(() => idleWork.flush());
    return () => {
      stop();
      idleWork.drop();
    };
  });
}
