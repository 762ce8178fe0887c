import { describe, expect, it } from "vitest";

import { render } from "./language/render-fixture";
import { readMessages } from "../languages.config";
import TermFigure from "./glossary/TermFigure.svelte";
import { termsIn } from "./glossary/terms";
import { SILENT } from "./trace/catalogue";

/** The terms that the engine explains. */
const ids = Object.keys(readMessages("en", "narration/terms"));
const terms = termsIn(
  {
    sources: {},
    languages: { en: { ...SILENT, terms: Object.fromEntries(ids.map((id) => [id, id])) } },
  },
  "en",
);

describe("the figures of the glossary", () => {
  it("are there for every term that the engine explains", () => {
    expect(terms.flatMap(({ id, short }) => (short === null ? [id] : [id, short])).sort()).toEqual(
      [...ids].sort(),
    );
    expect(terms.filter(({ figure, drawing }) => figure === null && drawing === null)).toEqual([]);
  });

  it("are drawn differently for each term that has no sign on the stage", () => {
    const drawings = terms.flatMap(({ drawing }) => drawing ?? []);
    const drawn = drawings.map(
      (figure) => render(TermFigure, { props: { figure } }).container.innerHTML,
    );

    expect(drawings.length).toBeGreaterThan(25);
    expect(new Set(drawn).size).toBe(drawings.length);
  });
});
