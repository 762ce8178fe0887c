/** What each key does on the page of a run. */

import type { Keymap } from "./keys";
import type { RunView } from "./run-view.svelte";

/** The keys where the run stands; those that change it are missing where it cannot be changed. */
export function runKeys(view: RunView, shift: boolean, onlanguage: () => void): Keymap {
  const { player, run } = view;
  const level = shift ? view.otherLevel : view.level;
  return {
    always: {
      ArrowRight: () => player.forward(level),
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
      v: () => view.showMessages(),
      F: () => view.present(),
      ...(run.readOnly ? {} : actionKeys(view)),
      ...(run.session === null && run.shared === null ? {} : sharingKeys(view)),
    },
    offControls: { " ": () => player.toggle(), ...(run.readOnly ? {} : { Enter: () => view.actNaturally() }) },
    digit: (digit) => view.selectBroker(digit),
    escape: () => {
      if (view.messagesFull) view.messagesFull = false;
      else view.selection = null;
    },
    before: (key) => {
      if (key !== " ") player.pause();
    },
  };
}

function actionKeys(view: RunView): Readonly<Record<string, () => void>> {
  return {
    "/": () => void view.focusFilter(),
    k: () => view.actOnBroker(["crash", "start"]),
    x: () => view.actOnBroker(["heal", "isolate"]),
    P: () => void view.openForm("produce"),
    p: () => void view.player.actOn((choices) => choices.find((choice) => "produce" in choice.step && choice.enabled)),
    f: () => (view.dialog = "find"),
  };
}

/** A share can be passed on and compared, too. */
function sharingKeys(view: RunView): Readonly<Record<string, () => void>> {
  return {
    s: () => (view.dialog = "link"),
    c: () => document.getElementById("compare-with")?.focus(),
  };
}
