import type { Frame } from "../trace";
import type { StageRequest } from "./stage-request";

/** A request for the stage of a frame of `t-0`, with space for the cards of messages. */
export function stageRequest(frame: Frame, overrides: Partial<StageRequest> = {}): StageRequest {
  return {
    frame,
    previous: null,
    partition: "t-0",
    width: 992,
    scrolledTo: null,
    opened: [],
    cards: true,
    dense: false,
    filesOpen: new Set(),
    extraLines: () => 0,
    beliefLabel: (brokers, offset) => `broker ${brokers.join(", ")} seen at ${offset}`,
    epochLabel: (epoch, start) => `epoch ${epoch} → ${start}`,
    cutLabels: () => ["truncate to the leader’s LEO 3", "truncate to LEO 3"],
    ...overrides,
  };
}
