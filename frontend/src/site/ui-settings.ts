/** How pages look to this reader, and how the reader changes that. */

import type { Theme } from "./preferences";

export interface UiSettings {
  readonly theme: Theme;
  readonly onlang: () => void;
  readonly ontheme: () => void;
}
