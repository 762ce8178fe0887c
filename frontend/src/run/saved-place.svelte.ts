/** Saves the position in a run: in the address, and for a lesson also in this browser. */

import { untrack } from "svelte";

import { keepDone, keepPlace } from "../learning/progress";
import { IdleWork } from "../session/idle-work";
import { beforeLeaving } from "../session/leaving";
import { addressOfStored, withPlace } from "./address";
import type { RunView } from "./run-view.svelte";

/** Called when the page of the run is created; active as long as the page. */
export function savePlace(view: RunView): void {
  const { run, pageData } = view;
  const idleWork = new IdleWork();
  // While the next page is loaded, or after Back, this page is still shown under the other address.
  let { pathname } = location;

  // The lesson that is left has an entry in the browser's history, at the step where it was left.
  run.onbegin = () => idleWork.flush();

  // Each branch has its own story.
  $effect(() => {
    void run.branch?.tip;
    untrack(() => void run.loadStory());
  });

  // Only positions at which the playhead rests are saved.
  $effect(() => {
    const own = pageData.lesson?.id;
    const { lessonEnded, level } = view;
    const { value } = view.beside;
    const address = view.address ?? addressOfStored(pathname, run.at, level);
    const passed = run.index > 0;
    // This browser stores finished lessons and the position in the unfinished one.
    if (lessonEnded) view.narration.endKnown = true;
    if (own !== undefined && lessonEnded) keepDone(own);
    idleWork.do(() => {
      if (location.pathname !== pathname) return;
      const url = withPlace(location.href, address, value);
      if (url.pathname === pathname) history.replaceState(history.state, "", url);
      else history.pushState(null, "", url);
      ({ pathname } = url);
      if (own !== undefined && passed && !lessonEnded && !run.readOnly)
        keepPlace(own, url.pathname + url.search);
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
