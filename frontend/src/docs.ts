/**
 * What the documentation's pages have where scripts run: the theme and the language that were chosen
 * before, a switch for the theme, a button that copies, a list of pages that opens on a phone. The
 * service writes everything else (backend/documentation).
 */

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./site/site.css";
import "./view/logo/logo.css";
import "./docs/docs.css";
import "./docs/code.css";
import { addContentsButton, addCopyButtons, addThemeButton, keepChosenLanguage } from "./docs/controls";
import { preferredAddress } from "./docs/language";
import { applyTheme, firstLang, firstTheme } from "./site/preferences";

// At once: nothing is painted yet.
applyTheme(firstTheme());
document.documentElement.dataset.scripted = "";
const preferred = preferredAddress(new URL(location.href), document.documentElement.lang, firstLang(location.search));
if (preferred !== null) location.replace(preferred);

document.addEventListener("DOMContentLoaded", () => {
  addThemeButton();
  addContentsButton();
  addCopyButtons();
  keepChosenLanguage();
});
