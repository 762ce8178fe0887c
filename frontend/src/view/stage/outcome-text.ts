/** The most important property of a frame in a line, where there is no room for the strip of all. */

import {
  AT_RISK,
  OUTCOMES,
  propertyText,
  standingOf,
  toneOf,
  type Catalogue,
  type Frame,
  type Lang,
} from "../../trace";
import { evidenceValues, unpromised, valuesText } from "./evidence-records";
import { joined, word } from "./stage-texts";

export interface Outcome {
  readonly tone: ReturnType<typeof toneOf>;
  readonly text: string;
}

/**
 * The current violation, a loss first; otherwise the loss of records for which Kafka promises
 * nothing; otherwise that nothing is lost. Null if the frame has none of these properties.
 */
export function outcomeOf(frame: Frame, catalogue: Catalogue, lang: Lang): Outcome | null {
  const known = [...OUTCOMES, AT_RISK].flatMap((name) => {
    const property = frame.properties[name];
    return property === undefined ? [] : [{ name, property }];
  });
  const found = known.find(({ property }) => standingOf(property) === "now") ?? known[0];
  if (found === undefined) return null;
  const { name, property } = found;
  const violated = standingOf(property) === "now";
  const lost = violated ? [] : unpromised(frame, "lost");
  if (lost.length > 0)
    return {
      tone: "bad",
      text: word(lang, "lostUnpromised", { values: valuesText(lost, lang), count: lost.length }),
    };
  const values = violated ? valuesText(evidenceValues(property), lang) : "";
  return {
    tone: toneOf(name, property),
    text: joined(
      lang,
      [propertyText(catalogue, name, violated ? "violated_title" : "title", lang), values],
      "colon",
    ),
  };
}
