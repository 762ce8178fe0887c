/** The most relevant action at the playhead, in a word or two, for the thumb controls. */

import { barName } from "../messages/steps";
import { stepLabel } from "../trace";
import { rowKindOf } from "./choices";
import type { RunView } from "./run-view.svelte";
import { say } from "languages:run";

export interface NextAction {
  readonly label: string;
  readonly title: string;
  readonly onact: () => void;
}

/**
 * The question there or, at the end of the branch, an action; null if it is the next step, or if
 * there is none.
 */
export function nextAction(view: RunView): NextAction | null {
  const { run, narration } = view;
  const lang = view.reading.lang();
  if (narration.asking)
    return {
      label: say(lang, "tabQuestion"),
      title: narration.question?.text ?? "",
      onact: () => void view.skipTo("actions"),
    };
  const choice = run.readOnly || !view.atEnd ? undefined : run.choices.find((one) => one.enabled);
  if (choice === undefined) return null;
  const title = stepLabel(view.reading.catalogue(), choice.step, lang);
  const kind = rowKindOf(choice);
  return {
    label: kind === null ? title : barName(kind, lang),
    title,
    onact: () => view.act(choice.step),
  };
}
