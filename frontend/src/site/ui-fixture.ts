import type { UiSettings } from "./ui-settings";

/** For tests: a site without a menu. */
export const ui: UiSettings = {
  menu: [],
  here: null,
  theme: "auto",
  onlang: () => undefined,
  ontheme: () => undefined,
};
