/** Language and theme: what was chosen before, else what the browser and the system say. */

import { languageCalled, languageOf, type Lang } from "../language";

export type Theme = "auto" | "light" | "dark";

const LANG_KEY = "highwater-lang";
const THEME_KEY = "highwater-theme";
const MESSAGES_KEY = "highwater-messages";

/** Storage may be forbidden, full, or not there: then choices last as long as the page. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice still holds until the page is left.
  }
}

export function firstLang(search: string): Lang {
  return languageCalled([new URLSearchParams(search).get("lang"), stored(LANG_KEY), navigator.language]);
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

/** From what is on the screen to its opposite, and from there back to the system's. */
export function nextTheme(theme: Theme, systemIsDark: boolean): Theme {
  if (theme === "auto") return systemIsDark ? "light" : "dark";
  return "auto";
}

/** Whether the messages over time are open below the logs: where nobody has chosen, as there is room. */
export function firstMessagesOpen(hasRoom: boolean): boolean {
  const kept = stored(MESSAGES_KEY);
  return kept === null ? hasRoom : kept === "open";
}

export function keepMessagesOpen(open: boolean): void {
  store(MESSAGES_KEY, open ? "open" : "closed");
}
