import { describe, expect, it } from "vitest";

import { WORDS as RUN_WORDS } from "./run/words";
import { WORDS as EMBED_WORDS } from "./view/embed/words";
import { WORDS as PANEL_WORDS } from "./view/panel/words";
import { WORDS as STAGE_WORDS } from "./view/stage/words";
import { COMPARE_MESSAGES } from "./messages/compare";
import { SEARCH_MESSAGES } from "./messages/search";
import { FAULTS, INSIGHTS_WORDS } from "./messages/insights";
import { PAGE_WORDS } from "./messages/pages";
import { SHARING_WORDS } from "./messages/sharing";

describe("every text of the page", () => {
  const texts = Object.entries({ ...PAGE_WORDS, ...SHARING_WORDS, ...INSIGHTS_WORDS, ...FAULTS, ...SEARCH_MESSAGES, ...COMPARE_MESSAGES, ...RUN_WORDS, ...STAGE_WORDS, ...EMBED_WORDS, ...PANEL_WORDS });
  /** Half-width marks beside a Chinese character, or beside a place where one may be put in. */
  const HALF_WIDTH = /[\u4e00-\u9fff}」”][,:;?!]|[,:;?!()]\s?[\u4e00-\u9fff]|[\u4e00-\u9fff]\s?[()]|[\u4e00-\u9fff]\.(?!\d)/;
  /** A number with a word in the plural that does not follow the number. */
  const UNBENDING = /\{(?:steps|states|runs|n|count|depth|records|total)\} [a-z]+s\b/;

  it.each(texts)("%s has full-width marks in Chinese", (_, text) => {
    expect(text.zh.replaceAll(/\{[^{}]*\}/g, "{}").replaceAll(/min\([^)]*\)/g, "")).not.toMatch(HALF_WIDTH);
  });

  it.each(texts)("%s bends its words to its numbers in English", (name, text) => {
    // These are said of more than one only.
    if (["behind", "foldedTitle"].includes(name)) return;
    expect(text.en).not.toMatch(UNBENDING);
  });
});
