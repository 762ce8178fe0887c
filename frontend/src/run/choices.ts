/** The possible steps, grouped by actor and by target. */

import {
  hasOthersLikeIt,
  isStepOn,
  messageSteps,
  partsOf,
  type Endpoint,
  type Frame,
  type StepName,
} from "../trace";
import type { Selection } from "../view/stage";

import type { Choice } from "../service/api";

export interface Group {
  readonly actor: string;
  readonly kind: "broker" | "producer" | "consumer" | "controller" | "network" | "time";
  readonly choices: readonly Choice[];
}

function kindOf(choice: Choice): Group["kind"] {
  const { actor } = choice;
  if (/^\d+$/.test(actor)) return "broker";
  if (actor === "controller" || actor === "network" || actor === "time") return actor;
  return partsOf(choice.step).name === "consume" ? "consumer" : "producer";
}

/** By actor, in the order of their first possible step; impossible steps come last. */
export function groupsOf(choices: readonly Choice[]): Group[] {
  const actors = new Map<string, Choice[]>();
  for (const choice of choices) {
    const group = actors.get(choice.actor);
    if (group === undefined) actors.set(choice.actor, [choice]);
    else group.push(choice);
  }
  return [...actors].map(([actor, own]) => ({
    actor,
    kind: own[0] === undefined ? "time" : kindOf(own[0]),
    choices: [
      ...own.filter((choice) => choice.enabled),
      ...own.filter((choice) => !choice.enabled),
    ],
  }));
}

/** Whether a step is about this partition, or about none in particular. */
export function isOnPartition(choice: Choice, partition: string): boolean {
  const { name, given } = partsOf(choice.step);
  const named = name === "produce" ? given.to : given.partition;
  return named === undefined || named === partition;
}

/** The possible steps for one thing on the stage. */
export function choicesFor(
  selection: Selection,
  choices: readonly Choice[],
  frame: Frame,
): Choice[] {
  switch (selection.kind) {
    case "broker":
      return choicesForBroker(selection.broker, choices, frame);
    case "record":
      return choices.filter((choice) => isForRecord(selection, choice, frame));
    case "message":
      return choicesForMessage(selection.id, choices, frame);
    case "link":
      return choices.filter((choice) => isForLink(selection, choice));
    case "timer":
      return choicesForTimer(selection, choices);
    case "setting":
      return choices.filter((choice) => isForSetting(selection.setting, choice));
    case "actor":
      return choices.filter(({ actor }) => actor === selection.actor);
    case "offsets":
    case "differences":
      return [];
  }
}

type Selected<Kind extends Selection["kind"]> = Extract<Selection, { readonly kind: Kind }>;

/** What a broker does, what happens to it, and what writes to it; those on one of its links last. */
function choicesForBroker(broker: number, choices: readonly Choice[], frame: Frame): Choice[] {
  const links = choices.filter((choice) => isLinkOf(broker, choice));
  const others = choices.filter(
    (choice) =>
      !isLinkOf(broker, choice) &&
      (isOfBroker(broker, choice) || isProduceTo(broker, choice, frame)),
  );
  return [...others, ...links];
}

/** Whether a step writes, copies or reads a record's partition on its broker, or happens to the broker. */
function isForRecord(
  { broker, partition }: Selected<"record">,
  choice: Choice,
  frame: Frame,
): boolean {
  if (!isOnPartition(choice, partition)) return false;
  const { name } = partsOf(choice.step);
  return (
    isOfBroker(broker, choice) ||
    name === "consume" ||
    (name === "produce" && leads(broker, partition, frame))
  );
}

function choicesForMessage(id: number, choices: readonly Choice[], frame: Frame): Choice[] {
  const { in_flight: inFlight } = frame.state;
  const message = inFlight.find((one) => one.id === id);
  if (message === undefined) return [];
  const found = choices.filter(({ step }) => isStepOn(partsOf(step).given, message));
  // The service offers steps on the oldest of several messages that are alike, or on the next one if that is held.
  if (!hasOthersLikeIt(message, inFlight)) return found;
  const { kind, from, to } = message;
  const isFirst = inFlight.find((other) => isStepOn({ kind, from, to }, other))?.id === id;
  const skips = found.filter(({ step }) => isFirst && partsOf(step).given.skip === true);
  const own = Object.values(messageSteps(message, inFlight)).map((step) => ({
    ...ALWAYS_POSSIBLE,
    step,
    actor: "network",
  }));
  return [...own, ...skips];
}

/** Whether a step is on a link, in either direction. */
function isForLink({ from, to }: Selected<"link">, { step }: Choice): boolean {
  const { name, given } = partsOf(step);
  const joins = (one: unknown, other: unknown): boolean =>
    (one === from && other === to) || (one === to && other === from);
  // Only all links of a broker are restored together with the one to the controller.
  return name === "heal" && given.broker !== undefined
    ? joins(given.broker, "controller")
    : joins(given.from, given.to);
}

function choicesForTimer(
  { timer, broker, step }: Selected<"timer">,
  choices: readonly Choice[],
): Choice[] {
  const found = choices.filter((choice) => {
    const { name, given } = partsOf(choice.step);
    const fires =
      name === "timer" && given.kind === timer && (broker === null || given.broker === broker);
    return fires || choice.actor === "time";
  });
  return "advance" in step ? [{ ...ALWAYS_POSSIBLE, step, actor: "time" }, ...found] : found;
}

function isForSetting(setting: string, { step }: Choice): boolean {
  const { name, given } = partsOf(step);
  return setting === "acks"
    ? name === "produce"
    : name === "config" && Object.hasOwn(given, setting);
}

/** A step that is known to be possible without asking the service for the choices. */
export const ALWAYS_POSSIBLE = {
  enabled: true,
  rank: 0,
  row: null,
  reason: null,
  reason_code: null,
  reason_numbers: {},
} as const;

/** The number of buttons in a bar of actions; the menu has all actions. */
const BAR_BUTTONS = 5;

export interface BarAction {
  readonly kind: StepName;
  /** Several if the step has variants, for example the endpoints that a broker is cut off from. */
  readonly choices: readonly Choice[];
}

function leads(broker: number, partition: string, frame: Frame): boolean {
  return frame.state.replicas[partition]?.[String(broker)]?.role === "leader";
}

/** Whether a broker does a step, or the step is about it as a whole. */
function isOfBroker(broker: number, { step, actor }: Choice): boolean {
  return actor === String(broker) || partsOf(step).given.broker === broker;
}

/** Whether a step writes to a partition that the broker leads. */
function isProduceTo(broker: number, { step }: Choice, frame: Frame): boolean {
  const { name, given } = partsOf(step);
  return name === "produce" && typeof given.to === "string" && leads(broker, given.to, frame);
}

/** Whether a step cuts or restores one link from or to the broker. */
function isLinkOf(broker: number, { step }: Choice): boolean {
  const { name, given } = partsOf(step);
  return (name === "cut" || name === "heal") && (given.from === broker || given.to === broker);
}

/** The actions on a broker's row: at most five kinds of possible steps, in the engine's order. */
function actionsOnRow(
  broker: number,
  choices: readonly Choice[],
  frame: Frame,
  partition: string | null,
): BarAction[] {
  const about = (choice: Choice): boolean => {
    const { name, given } = partsOf(choice.step);
    if (name === "produce")
      return isProduceTo(broker, choice, frame) && (partition === null || given.to === partition);
    return (
      given.broker === broker &&
      (given.partition === undefined || partition === null || given.partition === partition)
    );
  };
  return byKindOf(
    [...choices]
      .sort((one, other) => (one.row ?? 0) - (other.row ?? 0))
      .filter((choice) => choice.row !== null && about(choice)),
  );
}

/** The possible choices by their kind, at most five; of the variants of a kind, the most relevant. */
function byKindOf(choices: readonly Choice[]): BarAction[] {
  const byKind = new Map<StepName, Choice[]>();
  for (const choice of choices) {
    const kind = partsOf(choice.step).name;
    if (choice.enabled) byKind.set(kind, [...(byKind.get(kind) ?? []), choice]);
  }
  return [...byKind]
    .slice(0, BAR_BUTTONS)
    .map(([kind, own]) => ({ kind, choices: own.filter(({ rank }) => rank === own[0]?.rank) }));
}

/** The bar of actions on what is selected: at most five kinds of possible steps, the most relevant first. */
export function actionsOn(
  selection: Selection,
  choices: readonly Choice[],
  frame: Frame,
  partition: string | null,
): BarAction[] {
  if (selection.kind === "broker" || selection.kind === "record")
    return actionsOnRow(selection.broker, choices, frame, partition);
  const found = choicesFor(selection, choices, frame).filter(
    (choice) => partition === null || isOnPartition(choice, partition),
  );
  return selection.kind === "link" ? byDirection(selection, found) : byKindOf(found);
}

/** Each possible choice on a link by itself, those of the selected direction first. */
function byDirection(
  { from }: { readonly from: Endpoint },
  choices: readonly Choice[],
): BarAction[] {
  const isThis = ({ step }: Choice): boolean => partsOf(step).given.from === from;
  const possible = choices.filter((choice) => choice.enabled);
  return [...possible.filter(isThis), ...possible.filter((choice) => !isThis(choice))]
    .slice(0, BAR_BUTTONS)
    .map((choice) => ({ kind: partsOf(choice.step).name, choices: [choice] }));
}

/** The kind of a step if it has a button on a broker's row, and so a short name; otherwise null. */
export function rowKindOf({ step, row }: Choice): StepName | null {
  return row === null ? null : partsOf(step).name;
}

/** The first possible choice with this name for this broker. */
export function choiceOn(
  choices: readonly Choice[],
  broker: number,
  names: readonly StepName[],
): Choice | undefined {
  for (const name of names) {
    const found = choices.find((choice) => {
      const { name: kind, given } = partsOf(choice.step);
      return choice.enabled && kind === name && given.broker === broker;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}
