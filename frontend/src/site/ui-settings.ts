/** What every page of the site shares: its menu, and how pages look to this reader. */

import type { Lang } from "../language";
import type { Theme } from "./preferences";

/** A text in a language. */
export type Text = (lang: Lang) => string;

export interface MenuEntry {
  readonly path: string;
  readonly href: string;
  readonly name: Text;
}

export interface UiSettings {
  readonly menu: readonly MenuEntry[];
  /** The path in the menu of the page that is shown, or of the list that leads to it; null: none. */
  readonly here: string | null;
  readonly theme: Theme;
  readonly onlang: () => void;
  readonly ontheme: () => void;
}
