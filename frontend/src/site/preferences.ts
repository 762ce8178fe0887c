/**
 * What a person chose before: the stored choice, otherwise the preference of the browser and the
 * system, or the default. If nothing can be stored, choices last as long as the page.
 */

import { languageCalled, languageOf, type Lang } from "../language";
import { store, stored } from "../service/stored";

export type Theme = "auto" | "light" | "dark";

const LANG_KEY = "highwater-lang";
const THEME_KEY = "highwater-theme";
const MESSAGES_KEY = "highwater-messages";
const UNSTORED_KEY = "highwater-shares-unstored";

export function firstLang(search: string): Lang {
  return languageCalled([
    new URLSearchParams(search).get("lang"),
    stored(LANG_KEY),
    navigator.language,
  ]);
}

export function firstTheme(): Theme {
  const kept = stored(THEME_KEY);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

export function applyLang(lang: Lang): void {
  document.documentElement.lang = languageOf(lang).formats;
}

export function keepLang(lang: Lang): void {
  store(LANG_KEY, lang);
}

export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function keepTheme(theme: Theme): void {
  store(THEME_KEY, theme);
}

/** Switches from the current theme to the opposite one, and from there back to the system's. */
export function nextTheme(theme: Theme, systemIsDark: boolean): Theme {
  if (theme === "auto") return systemIsDark ? "light" : "dark";
  return "auto";
}

/** Whether the messages over time are open below the logs; by default this depends on the room. */
export function firstMessagesOpen(hasRoom: boolean): boolean {
  const kept = stored(MESSAGES_KEY);
  return kept === null ? hasRoom : kept === "open";
}

export function keepMessagesOpen(open: boolean): void {
  store(MESSAGES_KEY, open ? "open" : "closed");
}

/** Whether this person shares with links that store nothing; by default with stored links. */
export function firstSharesUnstored(): boolean {
  return stored(UNSTORED_KEY) === "yes";
}

export function keepSharesUnstored(unstored: boolean): void {
  store(UNSTORED_KEY, unstored ? "yes" : "no");
}
