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
  const found = choices.filter((choice) => {
    const { step, actor } = choice;
    const { name, given } = partsOf(step);
    switch (selection.kind) {
      case "broker":
        return (
          actor === String(selection.broker) ||
          given.broker === selection.broker ||
          isProduceTo(selection.broker, choice, frame) ||
          isLinkOf(selection.broker, choice)
        );
      case "record":
        // What writes, copies or reads its partition, and what happens to its broker.
        return (
          isOnPartition(choice, selection.partition) &&
          (actor === String(selection.broker) ||
            given.broker === selection.broker ||
            name === "consume" ||
            (name === "produce" && leads(selection.broker, selection.partition, frame)))
        );
      case "message": {
        const message = frame.state.in_flight.find((one) => one.id === selection.id);
        return message !== undefined && isStepOn(given, message);
      }
      case "link":
        // Only all links of a broker are restored together with the one to the controller.
        if (name === "heal" && given.broker !== undefined)
          return (
            (given.broker === selection.from && selection.to === "controller") ||
            (given.broker === selection.to && selection.from === "controller")
          );
        return (
          (given.from === selection.from && given.to === selection.to) ||
          (given.from === selection.to && given.to === selection.from)
        );
      case "timer":
        return (
          actor === "time" ||
          (name === "timer" &&
            given.kind === selection.timer &&
            (selection.broker === null || given.broker === selection.broker))
        );
      case "setting":
        return selection.setting === "acks"
          ? name === "produce"
          : name === "config" && Object.hasOwn(given, selection.setting);
      case "actor":
        return actor === selection.actor;
      case "offsets":
      case "differences":
        return false;
    }
  });
  if (selection.kind === "message") {
    const { in_flight: inFlight } = frame.state;
    const message = inFlight.find((one) => one.id === selection.id);
    // The service offers steps on the oldest of several messages that are alike, or on the next one if that is held.
    if (message !== undefined && hasOthersLikeIt(message, inFlight)) {
      const { kind, from, to } = message;
      const isFirst =
        inFlight.find((other) => isStepOn({ kind, from, to }, other))?.id === message.id;
      const skips = found.filter(({ step }) => isFirst && partsOf(step).given.skip === true);
      return [
        ...Object.values(messageSteps(message, inFlight)).map((step) => ({
          ...ALWAYS_POSSIBLE,
          step,
          actor: "network",
        })),
        ...skips,
      ];
    }
  }
  if (selection.kind === "broker") {
    const links = found.filter((choice) => isLinkOf(selection.broker, choice));
    return [...found.filter((choice) => !links.includes(choice)), ...links];
  }
  return selection.kind === "timer" && "advance" in selection.step
    ? [{ ...ALWAYS_POSSIBLE, step: selection.step, actor: "time" }, ...found]
    : found;
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
