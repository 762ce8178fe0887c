import { describe, expect, it } from "vitest";

import type { Catalogue } from "../trace";
import { termsIn } from "./terms";
import { SILENT } from "../trace/catalogue";

const terms = {
  ISR: "In-sync replicas: the followers that keep up.",
  "high-watermark": "Every record below it is committed.",
  HW: "High watermark: every record below it is committed.",
  "min-insync-replicas": "The minimum size of the ISR.",
};
const catalogue: Catalogue = { sources: {}, languages: { en: { ...SILENT, terms } } };

describe("the glossary", () => {
  it("has every term once, in alphabetical order, settings by their own names", () => {
    expect(termsIn(catalogue, "en").map(({ name, text }) => [name, text])).toEqual([
      ["high watermark (HW)", terms["high-watermark"]],
      ["ISR", terms.ISR],
      ["min.insync.replicas", terms["min-insync-replicas"]],
    ]);
  });

  it("finds a term by any of its words", () => {
    expect(termsIn(catalogue, "en", "in-sync keep").map(({ id }) => id)).toEqual(["ISR"]);
    expect(termsIn(catalogue, "en", "no such word")).toEqual([]);
  });

  it("draws a term with its symbol on the stage, if it has one", () => {
    expect(termsIn(catalogue, "en").map(({ figure }) => figure)).toEqual([
      "high-watermark",
      null,
      null,
    ]);
  });

  it("draws the others that can be drawn, each once", () => {
    expect(termsIn(catalogue, "en").map(({ drawing }) => drawing)).toEqual([
      null,
      "ISR",
      "min-insync-replicas",
    ]);
  });
});
