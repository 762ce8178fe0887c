/** What every diagram of a run's messages shows, on the stage or in front of a class. */

import { inLanguage } from "../language";
import { stepLabel, type Catalogue, type Frame, type Lang } from "../trace";
import type { Player } from "./player.svelte";

/** The properties of `MessagesOverTime` that depend on the run alone, each read when it is used. */
export function shownMessages(player: () => Player, texts: () => Catalogue, lang: () => Lang) {
  const run = () => player().run;
  const titles = $derived(Object.fromEntries(run().stops.map(({ step, title }) => [step, title])));
  return {
    get frames() {
      return run().shown;
    },
    get index() {
      return Math.max(run().index, 0);
    },
    get pace() {
      return run().fastPlayhead.parts.messages;
    },
    get late() {
      return run().fastPlayhead.late;
    },
    get catalogue() {
      return texts();
    },
    get busy() {
      return run().busy;
    },
    stepOf: (shown: Frame): number => shown.step,
    /** The action's label while the story is not loaded. */
    stepTitle(shown: Frame): string {
      const told = titles[shown.step] ?? null;
      if (told !== null) return inLanguage(told, lang());
      return shown.action === null ? "" : stepLabel(texts(), shown.action, lang());
    },
    ongo: (index: number): void => player().openMessage(index),
  };
}
