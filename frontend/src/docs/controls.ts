/** The controls that need a script. Their texts are in the page's head, in the page's language. */

import {
  applyTheme,
  firstTheme,
  keepLang,
  keepTheme,
  nextTheme,
  type Theme,
} from "../site/preferences";
import { to } from "../addresses";
import { isForPage } from "../focus/page-key";
import { typeAhead } from "../focus/type-ahead";
import { copied } from "./copied-text";

const COPIED_MS = 1500;

function word(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="highwater-${name}"]`)?.content ?? "";
}

function button(label: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  return made;
}

const SEARCH = "/assets/search.js";

/** The search is loaded when it is first opened; from then on it listens to its key itself. */
export function addSearch(): void {
  let loading: Promise<{ open: (before: string) => void }> | null = null;
  const open = async () => {
    const ahead = typeAhead(word("search"));
    loading ??= import(/* @vite-ignore */ new URL(to(SEARCH), location.href).href) as NonNullable<
      typeof loading
    >;
    const search = await loading;
    const typed = await ahead();
    if (typed !== null) search.open(typed);
  };
  const made = button("");
  made.className = "search";
  made.title = `${word("search")} (/)`;
  made.setAttribute("aria-label", word("search"));
  made.setAttribute("aria-haspopup", "dialog");
  made.setAttribute("aria-keyshortcuts", "/");
  made.addEventListener("click", () => void open());
  document.querySelector(".site .choices")?.prepend(made);
  document.addEventListener("keydown", (event) => {
    if (loading !== null || event.key !== "/" || !isForPage(event)) return;
    event.preventDefault();
    void open();
  });
}

export function addThemeButton(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let theme = firstTheme();
  const made = button("");
  made.className = "theme";
  const name = () => {
    const next: Theme = nextTheme(theme, dark.matches);
    made.title = word(next === "auto" ? "to-system" : next === "dark" ? "to-dark" : "to-light");
    made.setAttribute("aria-label", made.title);
  };
  made.addEventListener("click", () => {
    theme = nextTheme(theme, dark.matches);
    applyTheme(theme);
    keepTheme(theme);
    name();
  });
  name();
  document.querySelector(".site .choices")?.append(made);
}

/** On a phone the list of pages is behind a button, because it would take the whole screen. */
export function addContentsButton(): void {
  const contents = document.querySelector<HTMLElement>(".contents");
  if (contents === null) return;
  contents.id = "contents";
  const made = button(word("contents"));
  made.className = "contents-button";
  made.setAttribute("aria-controls", contents.id);
  made.setAttribute("aria-expanded", "false");
  made.addEventListener("click", () => {
    made.setAttribute("aria-expanded", String(contents.classList.toggle("open")));
  });
  contents.before(made);
}

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".code")) {
    const shown = block.querySelector<HTMLElement>("code");
    if (shown === null) continue;
    const made = button(word("copy"));
    made.className = "copy";
    made.addEventListener("click", () => {
      void navigator.clipboard
        .writeText(copied(shown.textContent, shown.dataset.language ?? ""))
        .then(() => {
          made.textContent = word("copied");
          setTimeout(() => (made.textContent = word("copy")), COPIED_MS);
        });
    });
    block.append(made);
  }
}

export function keepChosenLanguage(): void {
  for (const link of document.querySelectorAll<HTMLElement>("[data-language].choice")) {
    link.addEventListener("click", () => {
      keepLang(link.dataset.language ?? "");
    });
  }
}
