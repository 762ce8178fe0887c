/** What all drawings of the logs ask of the layout. */

import type { StageRequest } from "../../layout/stage-request";
import { brokerText, linesBelowName, type BrokerContext } from "./broker-text";
import { beliefLabelIn, cutLabels, word } from "./stage-texts";

/** The logs of a partition with their texts, as in an embed: no cards, no files, rows as tall as their contents. */
export function plainRequest(
  context: BrokerContext,
): Omit<StageRequest, "previous" | "width" | "order"> {
  const { frame, partition, column, lang } = context;
  return {
    frame,
    partition,
    scrolledTo: null,
    opened: [],
    cards: false,
    dense: true,
    filesOpen: new Set<number>(),
    extraLines: (broker, room) => linesBelowName(brokerText(broker, context), room, column),
    beliefLabel: beliefLabelIn(lang),
    epochLabel:
      column === null ? (epoch, start) => word(lang, "epochFrom", { epoch, start }) : null,
    cutLabels: (event) => cutLabels(event, lang),
  };
}
