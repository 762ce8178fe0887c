/** Steps on one message in flight, which its kind, link and partition need not identify. */

import { partsOf, type Message, type Step } from "./frame";

/** What can be done to a message, by the names of the steps. */
export interface MessageSteps {
  readonly deliver?: Step;
  readonly release?: Step;
  readonly hold?: Step;
  readonly drop?: Step;
}

/** Whether a step's arguments select a message of this kind on this link. */
export function isStepOn(given: Readonly<Record<string, unknown>>, message: Message): boolean {
  return (
    given.kind === message.kind &&
    given.from === message.from &&
    given.to === message.to &&
    (given.partition === undefined || given.partition === message.partition)
  );
}

/** The log is read as a whole. */
const METADATA_RECORD: Message["kind"] = "metadata_record";

/** Whether a step on a message that gives no position selects another one too: without a partition it is about all. */
function isAlike(one: Message, wanted: Message): boolean {
  return (
    one.kind === wanted.kind &&
    one.from === wanted.from &&
    one.to === wanted.to &&
    (wanted.partition === null || one.partition === wanted.partition) &&
    !one.parked
  );
}

/** Whether a step on a message needs its position to select it. */
export function hasOthersLikeIt(message: Message, inFlight: readonly Message[]): boolean {
  return (
    message.kind !== METADATA_RECORD &&
    inFlight.some((other) => other.id !== message.id && isAlike(other, message))
  );
}

/** Its position among the messages that a step selects, in sending order, from 1. */
function positionOf(message: Message, inFlight: readonly Message[]): number {
  return message.kind === METADATA_RECORD
    ? 1
    : inFlight.filter((other) => isAlike(other, message) && other.id < message.id).length + 1;
}

/** What a step says about a message; the oldest of several needs no position. */
function selectorOf(message: Message, inFlight: readonly Message[]) {
  const { kind, from, to, partition } = message;
  const nth = positionOf(message, inFlight);
  return {
    kind,
    from,
    to,
    ...(partition === null ? {} : { partition }),
    ...(nth === 1 ? {} : { nth }),
  };
}

/** What can be done to a message now, most relevant first. */
export function messageSteps(message: Message, inFlight: readonly Message[]): MessageSteps {
  // A request that waits at the leader has arrived.
  if (message.parked) return {};
  const selector = selectorOf(message, inFlight);
  return {
    ...(message.deliverable && !message.held ? { deliver: { deliver: selector } } : {}),
    ...(message.held ? { release: { release: selector } } : { hold: { hold: selector } }),
    // A controller sends its messages again.
    ...(message.from === "controller" ? {} : { drop: { drop: selector } }),
  };
}

/** What can be done to a message if these steps alone are possible. Of several messages that are alike, they are about the oldest. */
export function messageStepsAmong(
  steps: readonly Step[],
  message: Message,
  inFlight: readonly Message[],
): MessageSteps {
  const onIt = steps.filter((step) => {
    const { given } = partsOf(step);
    return (
      isStepOn(given, message) &&
      inFlight.find(
        (other) => !other.parked && other.held === message.held && isStepOn(given, other),
      )?.id === message.id
    );
  });
  return Object.fromEntries(onIt.map((step) => [partsOf(step).name, step]));
}
