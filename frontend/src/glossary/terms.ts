/** The terms of the catalogue as a list: the spelling of each, and its sign on the stage. */

import { termText, textsIn, type Catalogue, type Lang } from "../trace";
import { FIGURES, type FigureName } from "../view/stage";
import { isTermFigure, type TermFigureName } from "./term-figures";

export interface Term {
  /** Its id, which is also its anchor on the page. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly figure: FigureName | null;
  /** Its drawing, if it has no sign on the stage. */
  readonly drawing: TermFigureName | null;
}

/** Ids are written without dots; these are names of settings. */
const SETTINGS: ReadonlySet<string> = new Set(["min-insync-replicas", "replica-lag-time-max-ms"]);
/** Terms that share a sign. */
const SAME_SIGN: Readonly<Record<string, FigureName>> = { HW: "high-watermark", "log-end-offset": "LEO", "preferred-leader": "preferred", "remote-log-end-offset": "belief" };

function figureOf(id: string): FigureName | null {
  return SAME_SIGN[id] ?? FIGURES.find((figure) => figure === id) ?? null;
}

/** The terms that contain every search word, in the order of the catalogue. */
export function termsIn(catalogue: Catalogue, lang: Lang, wanted = ""): Term[] {
  const words = wanted.trim().toLowerCase().split(/\s+/);
  return Object.keys(textsIn(catalogue, lang).terms)
    .map((id) => ({ id, name: SETTINGS.has(id) ? id.replaceAll("-", ".") : id.replaceAll("-", " "), text: termText(catalogue, id, lang) ?? "", figure: figureOf(id), drawing: figureOf(id) === null && isTermFigure(id) ? id : null }))
    .filter(({ name, text }) => words.every((word) => `${name} ${text}`.toLowerCase().includes(word)));
}
