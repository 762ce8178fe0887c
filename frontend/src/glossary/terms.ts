/** The terms of the catalogue as a list: the spelling of each, and its sign on the stage. */

import { DEFAULT_LANGUAGE } from "../language";
import { termText, textsIn, type Catalogue, type Lang } from "../trace";
import { FIGURES, type FigureName } from "../view/stage";
import { hasTermFigure } from "./term-figures";

export interface Term {
  /** Its id, which is also its anchor on the page. */
  readonly id: string;
  /** The id of its abbreviation, which is an anchor too; null if it has none. */
  readonly short: string | null;
  readonly name: string;
  readonly text: string;
  readonly figure: FigureName | null;
  /** Its id again if it has a drawing instead of a sign on the stage. */
  readonly drawing: string | null;
}

/** Ids are written without dots; these are names of settings. */
const SETTINGS: ReadonlySet<string> = new Set(["min-insync-replicas", "replica-lag-time-max-ms"]);
/** Abbreviations that the narration explains where they stand; here they are part of their term. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  "high-watermark": "HW",
  "log-end-offset": "LEO",
};
/** Terms that share a sign. */
const SAME_SIGN: Readonly<Record<string, FigureName>> = {
  HW: "high-watermark",
  "log-end-offset": "LEO",
  "preferred-leader": "preferred",
  "remote-log-end-offset": "belief",
};

/** The sign of a term on the stage, or the drawing that it has instead. */
export function pictureOfTerm(id: string): Pick<Term, "figure" | "drawing"> {
  const figure = SAME_SIGN[id] ?? FIGURES.find((name) => name === id) ?? null;
  return { figure, drawing: figure === null && hasTermFigure(id) ? id : null };
}

/** The terms that contain every search word, in alphabetical order. */
export function termsIn(catalogue: Catalogue, lang: Lang, wanted = ""): Term[] {
  const words = wanted.trim().toLowerCase().split(/\s+/);
  const texts = textsIn(catalogue, lang);
  const ids = Object.keys(texts.terms);
  const abbreviated = ids.flatMap((id) => ABBREVIATIONS[id] ?? []);
  return ids
    .filter((id) => !abbreviated.includes(id))
    .map((id): Term => {
      const spelled = SETTINGS.has(id) ? id.replaceAll("-", ".") : id.replaceAll("-", " ");
      const short = ABBREVIATIONS[id] ?? null;
      return {
        id,
        short,
        name: short === null ? spelled : `${spelled} (${short})`,
        text: termText(catalogue, id, lang) ?? "",
        ...pictureOfTerm(id),
      };
    })
    .filter(({ name, text }) =>
      words.every((word) => `${name} ${text}`.toLowerCase().includes(word)),
    )
    .sort((one, other) =>
      one.name.localeCompare(other.name, DEFAULT_LANGUAGE, { sensitivity: "base" }),
    );
}
