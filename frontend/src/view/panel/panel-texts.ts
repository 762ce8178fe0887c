/** The texts of the notice for a failed panel. */

import { say, type Word } from "languages:panels";

import type { Lang } from "../../language";

export type PanelName = Exclude<Word, "failed" | "advice" | "again" | "close" | "detail">;

/** "The timeline could not be drawn". */
export function panelFailed(lang: Lang, panel: PanelName): string {
  return say(lang, "failed", { panel: say(lang, panel) });
}
