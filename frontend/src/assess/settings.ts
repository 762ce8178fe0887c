/** The names and values of the settings of the strip. */

import { isWord, type Word } from "languages:assess";

function known(word: string): Word | null {
  return isWord(word) ? word : null;
}

/** The short name of a setting; null for one that is called by its own name. */
export function settingWord(name: string): Word | null {
  return known(`settings-${name.replaceAll(".", "-")}`);
}

/** A value in words; null for one that is a number or a name. */
export function valueWord(name: string, value: string): Word | null {
  return known(`value-${name.replaceAll(".", "-")}-${value}`);
}
