import { readdirSync } from "node:fs";

import { expect, it } from "vitest";

/** The sheets that a component cannot hold, each with the reason. All others are a component's own. */
const SHEETS: Readonly<Record<string, string>> = {
  "assess/outcomes.css": "An outcome has the same surface in a table, a card and a tile.",
  "assess/setting-chip.css": "A setting looks the same as a list and as the button of a dialog.",
  "docs/code.css": "The documentation's pages are HTML from the service.",
  "docs/docs.css": "The documentation's pages are HTML from the service.",
  "glossary/term-figure.css": "The service draws the cards of terms with it.",
  "site/site.css": "The documentation's pages have the same header as the page.",
  "styles/base.css": "Elements look alike on every page.",
  "styles/controls.css": "Controls look alike on every page.",
  "styles/tokens.css": "Every sheet and component takes its values from it.",
  "view/embed/embed.css":
    "The service also renders errors, and pictures without scripts, in an embed's page.",
  "view/figure/figure.css": "The service draws figures with it.",
  "view/figure/words-card.css": "The service draws cards of words with it.",
  "view/logo/logo.css":
    "The service draws the logo in figures, and the documentation's pages contain it.",
  "view/playback/track.css": "The tracks of a run and of an embed look alike.",
  "view/stage/stage-motion.css": "The stages of a run, an embed and a presentation move alike.",
  "view/stage/stage.css": "The service draws figures with it, and several components contain logs.",
};

it("a sheet outside components has a reason", () => {
  const sheets = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" });

  expect(sheets.filter((file) => file.endsWith(".css")).sort()).toEqual(Object.keys(SHEETS));
});
