/** The keyboard shortcuts of a run's page. */

import type { Keymap } from "./keys";
import type { RunView } from "./run-view.svelte";
import { focusTrack } from "./skip-targets";
import { BROKER_KEYS, choiceOfForm, FORM_KEY, FORM_STEP } from "./step-keys";

/**
 * The shortcuts for the current state; those that change the run are omitted if it cannot be
 * changed.
 */
export function runKeys(
  view: RunView,
  { shiftKey: shift, repeat }: Pick<KeyboardEvent, "shiftKey" | "repeat">,
  onlanguage: () => void,
): Keymap {
  const { player, run } = view;
  if (view.simple !== null) return simpleKeys(view, repeat, onlanguage);
  const level = shift ? view.otherLevel : view.level;
  return {
    always: {
      ArrowRight: () => view.forward(level),
      ArrowLeft: () => player.backward(level),
      Home: () => player.goToIndex(0),
      End: () => player.goToIndex(run.path.length - 1),
      z: () => player.setLevel(view.otherLevel),
      "[": () => void view.bar?.toMark(-1),
      "]": () => void view.bar?.toMark(1),
      u: () => player.backward(),
      b: () => (shift ? view.bar?.openTree() : run.nextBranch()),
      B: () => view.bar?.openTree(),
      g: () => view.bar?.askForStep(),
      "?": () => (view.dialog = "help"),
      l: onlanguage,
      e: () => view.showEverything(),
      E: () => view.showEverything(),
      v: () => view.showMessages(),
      F: () => view.present(),
      ...(run.readOnly ? {} : actionKeys(view)),
      ...(run.replayable ? sharingKeys(view) : {}),
    },
    offControls: {
      " ": () => player.toggle(),
      ...(run.readOnly ? {} : { Enter: () => view.actNaturally() }),
    },
    digit: (digit) => view.selectBroker(digit),
    escape: () => {
      // A closed list uses the arrow keys itself; from the track they are the page's again.
      if (document.activeElement?.matches("[role=combobox]") === true) focusTrack();
      else if (view.endCard) view.endCard = false;
      else if (view.messagesFull) view.messagesFull = false;
      else view.selection = null;
    },
    before: (key) => {
      if (key !== " ") player.pause();
    },
  };
}

/** Keys of what the simple view leaves out do nothing. */
function simpleKeys(view: RunView, repeat: boolean, onlanguage: () => void): Keymap {
  const { player, run } = view;
  return {
    always: {
      ArrowRight: () => view.goOn(!repeat),
      ArrowLeft: () => player.backward("story"),
      Home: () => player.goToIndex(0),
      End: () => player.goToIndex(run.path.length - 1),
      "?": () => (view.dialog = "help"),
      l: onlanguage,
      s: () => (view.dialog = "link"),
      e: () => view.showEverything(),
      E: () => view.showEverything(),
    },
    offControls: { Enter: () => view.goOn(!repeat) },
    digit: () => undefined,
    escape: () => (view.endCard = false),
    before: () => player.pause(),
  };
}

function actionKeys(view: RunView): Readonly<Record<string, () => void>> {
  return {
    a: () => void view.focusFilter(),
    ...Object.fromEntries(
      Object.entries(BROKER_KEYS).map(([key, names]) => [key, () => view.actOnBroker(names)]),
    ),
    [FORM_KEY]: () => void view.openForm(FORM_STEP),
    [FORM_KEY.toLowerCase()]: () => void view.player.actOn(choiceOfForm),
    f: () => (view.dialog = "find"),
  };
}

/** A share can be shared again and compared, too. */
function sharingKeys(view: RunView): Readonly<Record<string, () => void>> {
  return {
    s: () => (view.dialog = "link"),
    c: () => void view.header?.focusComparisons(),
  };
}
