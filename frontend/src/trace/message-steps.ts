/** Steps on one message in flight, which its kind, link and partition need not identify. */

import type { Message, Step } from "./frame";

/** The log is read as a whole. */
const METADATA_RECORD: Message["kind"] = "metadata_record";

function isAlike(one: Message, other: Message): boolean {
  return one.kind === other.kind && one.from === other.from && one.to === other.to && one.partition === other.partition && !one.parked;
}

/** Its position among the messages like it in sending order, from 1. */
export function positionOf(message: Message, inFlight: readonly Message[]): number {
  return message.kind === METADATA_RECORD ? 1 : inFlight.filter((other) => isAlike(other, message) && other.id < message.id).length + 1;
}

/** What a step says about a message; of several like it, the oldest needs no position. */
export function selectorOf(message: Message, inFlight: readonly Message[]) {
  const { kind, from, to, partition } = message;
  const nth = positionOf(message, inFlight);
  return { kind, from, to, ...(partition === null ? {} : { partition }), ...(nth === 1 ? {} : { nth }) };
}

/** What can be done to a message now. */
export function messageSteps(message: Message, inFlight: readonly Message[]): Step[] {
  const selector = selectorOf(message, inFlight);
  return [
    ...(message.deliverable && !message.held ? [{ deliver: selector }] : []),
    ...(message.from === "controller" ? [] : [{ drop: selector }]),
    message.held ? { release: selector } : { hold: selector },
  ];
}
