/** The verdict of a comparison in sentences: what only one side loses, and where the sides diverge. */

import { isWord, say } from "languages:compare";
import type { Comparison } from "../service/api";
import {
  formatValue,
  propertyText,
  stepLabel,
  type Catalogue,
  type Lang,
  type Step,
} from "../trace";
import type { OtherSide } from "./other-side";
import { furtherProperty, oneSidedFall, placeOf, type OneSidedFall } from "./pairing";

/** The two sides, and the words for them. */
export interface Compared {
  readonly other: OtherSide;
  /** The name of the run on the page. */
  readonly name: string;
  readonly stepOf: (frame: number) => number;
  /** The kind of the controller on the page. */
  readonly control: string;
  readonly catalogue: Catalogue;
  readonly lang: Lang;
}

export interface VerdictLine {
  readonly kind: "loss" | "start" | "parting" | "same" | "first" | "property";
  /** A decoration, which is not announced; empty for a sentence about no frame. */
  readonly sign: string;
  readonly text: string;
  /** The frame to show; null if the sentence is about no frame. */
  readonly frame: number | null;
}

/** More steps than this are counted instead of named. */
const MOST_STEPS = 3;

/** The sentences in order, a loss first. */
export function verdictOf(found: Comparison, about: Compared): VerdictLine[] {
  const { other, name, stepOf, lang } = about;
  const sides = {
    sideA: say(lang, "side", { kind: other.kind === "branch" ? "thisBranch" : other.kind, name }),
    sideB: say(lang, "side", { kind: other.kind, name: other.name }),
  };
  const oneSided = (kind: "loss" | "property", fallen: Comparison["property"]): VerdictLine[] => {
    if (fallen === null) return [];
    const fall: OneSidedFall = oneSidedFall(fallen, stepOf, other.stepOf);
    const property = propertyText(about.catalogue, fallen.name, "violated_title", lang);
    return [
      {
        kind,
        sign: "✖",
        text: say(lang, "onlyIn", {
          side: fall.here ? sides.sideA : sides.sideB,
          step: fall.step,
          property,
        }),
        frame: fall.frame,
      },
    ];
  };
  const { start, parting, where, frame_a: first } = found;
  return [
    ...oneSided("loss", found.loss),
    ...(start.length === 0
      ? []
      : [
          {
            kind: "start",
            sign: "",
            text: say(lang, "start", { what: startInWords(start, lang) }),
            frame: null,
          } as const,
        ]),
    ...(parting === null
      ? []
      : [
          {
            kind: "parting",
            sign: "≠",
            text: say(lang, "parting", {
              step: stepOf(parting.frame_a),
              a: stepsInWords(parting.steps_a, about),
              b: stepsInWords(parting.steps_b, about),
              ...sides,
            }),
            frame: parting.frame_a,
          } as const,
        ]),
    where === null || first === null
      ? { kind: "same", sign: "", text: say(lang, "same"), frame: null }
      : {
          kind: "first",
          sign: "◇",
          text: say(lang, "first", {
            step: stepOf(first),
            what: called(where, about),
            a: shownValue(found.a, lang),
            b: shownValue(found.b, lang),
            ...sides,
          }),
          frame: first,
        },
    ...oneSided("property", furtherProperty(found)),
  ];
}

function stepsInWords(steps: readonly Step[], { catalogue, lang }: Compared): string {
  if (steps.length === 0) return say(lang, "noStep");
  const named = steps
    .slice(0, MOST_STEPS)
    .map((step) => say(lang, "quoted", { step: stepLabel(catalogue, step, lang) }));
  const more =
    steps.length > MOST_STEPS ? [say(lang, "more", { count: steps.length - MOST_STEPS })] : [];
  return [...named, ...more].join(say(lang, "between"));
}

function startInWords(keys: readonly string[], lang: Lang): string {
  const words = keys.map((key) => {
    const name = `start_${key}`;
    return isWord(name) ? say(lang, name) : key;
  });
  return [...new Set(words)].join(say(lang, "between"));
}

function called(where: string, { control, lang }: Compared): string {
  const { word, broker } = placeOf(where);
  return isWord(word) ? say(lang, word, { broker, control }) : say(lang, "other", { where });
}

function shownValue(value: unknown, lang: Lang): string {
  return value === "" ? say(lang, "nothing") : formatValue(value);
}
