/** The texts of the notice for a failed panel. */

import texts from "languages:panels";

import { sayer, type Lang } from "../../language";

export const panelWord = sayer(texts);

export type PanelName = Exclude<Parameters<typeof panelWord>[1], "failed" | "advice" | "again" | "close" | "detail">;

/** "The timeline could not be drawn". */
export function panelFailed(lang: Lang, panel: PanelName): string {
  return panelWord(lang, "failed", { panel: panelWord(lang, panel) });
}
