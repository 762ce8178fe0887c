/** What comes most naturally where the playhead stands, in a word or two for a thumb. */

import { rowName } from "../messages/steps";
import { stepLabel } from "../trace";
import { rowKindOf } from "./choices";
import type { RunView } from "./run-view.svelte";
import { say } from "./words";

export interface NaturalAct {
  readonly label: string;
  readonly title: string;
  readonly onact: () => void;
}

/** The question that stands there, or at the end of the branch an action; null where that is the next step, or nothing. */
export function naturalAct(view: RunView): NaturalAct | null {
  const { run, telling } = view;
  const lang = view.reading.lang();
  if (telling.asking) return { label: say(lang, "tabQuestion"), title: telling.question?.text ?? "", onact: () => void view.skipTo("actions") };
  const choice = run.readOnly || !view.atEnd ? undefined : run.choices.find((one) => one.enabled);
  if (choice === undefined) return null;
  const title = stepLabel(view.reading.catalogue(), choice.step as Parameters<typeof stepLabel>[1], lang);
  const kind = rowKindOf(choice);
  return { label: kind === null ? title : rowName(kind, lang), title, onact: () => view.act(choice.step) };
}
