/** Language and theme: what was chosen before, else what the browser says. Works without storage. */

import type { Lang } from "../trace";

export type Theme = "auto" | "light" | "dark";

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
    // A browser that stores nothing still shows what was chosen until the page goes.
  }
}

export function firstLang(): Lang {
  const asked = new URLSearchParams(location.search).get("lang") ?? stored("highwater-lang") ?? navigator.language;
  return asked.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function firstTheme(): Theme {
  const asked = stored("highwater-theme");
  return asked === "light" || asked === "dark" ? asked : "auto";
}

export function keepLang(lang: Lang): void {
  store("highwater-lang", lang);
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
}

export function keepTheme(theme: Theme): void {
  store("highwater-theme", theme);
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The other theme than the one on the screen. */
export function otherTheme(theme: Theme): Theme {
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  return dark ? "light" : "dark";
}
