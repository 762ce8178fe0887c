/**
 * Enhances the documentation's pages if scripts run: the stored theme and language, a theme switch,
 * the search, copy buttons, and a collapsible list of pages on phones. The service renders everything else
 * (backend/documentation).
 */

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./site/site.css";
import "./view/logo/logo.css";
import "./docs/docs.css";
import "./docs/code.css";
import {
  addContentsButton,
  addCopyButtons,
  addSearch,
  addThemeButton,
  keepChosenLanguage,
} from "./docs/controls";
import { otherFile, preferredAddress } from "./docs/language";
import { isStatic } from "./addresses";
import { applyTheme, firstLang, firstTheme } from "./site/preferences";

// Immediately, before the first paint.
applyTheme(firstTheme());
document.documentElement.dataset.scripted = "";
const preferred = isStatic
  ? otherFile(firstLang(location.search))
  : preferredAddress(
      new URL(location.href),
      document.documentElement.lang,
      firstLang(location.search),
    );
if (preferred !== null) location.replace(preferred);

document.addEventListener("DOMContentLoaded", () => {
  addThemeButton();
  addSearch();
  addContentsButton();
  addCopyButtons();
  keepChosenLanguage();
});
