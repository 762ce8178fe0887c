/** The possible steps, grouped by actor and by target. */

import { partsOf, type Frame, type Message, type StepName } from "../trace";
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
    choices: [...own.filter((choice) => choice.enabled), ...own.filter((choice) => !choice.enabled)],
  }));
}

/** Whether a step is about this partition, or about none in particular. */
export function isOnPartition(choice: Choice, partition: string): boolean {
  const { name, given } = partsOf(choice.step);
  const named = name === "produce" ? given.to : given.partition;
  return named === undefined || named === partition;
}

function isAbout(given: Readonly<Record<string, unknown>>, message: Message): boolean {
  return (
    given.kind === message.kind &&
    given.from === message.from &&
    given.to === message.to &&
    (given.partition === undefined || given.partition === message.partition)
  );
}

/** The possible steps for one thing on the stage. */
export function choicesFor(selection: Selection, choices: readonly Choice[], frame: Frame): Choice[] {
  return choices.filter((choice) => {
    const { step, actor } = choice;
    const { name, given } = partsOf(step);
    switch (selection.kind) {
      case "broker":
        return actor === String(selection.broker) || given.broker === selection.broker;
      case "record":
        // What writes, copies or reads its partition, and what happens to its broker.
        return isOnPartition(choice, selection.partition) && (actor === String(selection.broker) || given.broker === selection.broker || name === "consume" || (name === "produce" && leads(selection.broker, selection.partition, frame)));
      case "message": {
        const message = frame.state.in_flight.find((one) => one.id === selection.id);
        return message !== undefined && isAbout(given, message);
      }
      case "link":
        return (given.from === selection.from && given.to === selection.to) || (given.from === selection.to && given.to === selection.from);
      case "actor":
        return actor === selection.actor;
      case "offsets":
      case "differences":
        return false;
    }
  });
}

/** The number of buttons on a row; the menu has all actions. */
const ROW_BUTTONS = 5;

export interface RowAction {
  readonly kind: StepName;
  /** Several if the step has variants, for example the endpoints that a broker is cut off from. */
  readonly choices: readonly Choice[];
}

/** Whether a broker leads a partition or, for null, any. */
function leads(broker: number, partition: string | null, frame: Frame): boolean {
  return Object.entries(frame.state.replicas).some(([name, replicas]) => (partition === null || name === partition) && replicas[String(broker)]?.role === "leader");
}

/** The actions on a broker's row: at most five kinds of possible steps, in the engine's order. */
export function rowActionsOf(broker: number, choices: readonly Choice[], frame: Frame, partition: string | null): RowAction[] {
  const isLeader = leads(broker, partition, frame);
  const about = ({ step }: Choice): boolean => {
    const { name, given } = partsOf(step);
    if (name === "produce") return isLeader && (partition === null || given.to === partition);
    return given.broker === broker && (given.partition === undefined || partition === null || given.partition === partition);
  };
  const byKind = new Map<StepName, Choice[]>();
  for (const choice of [...choices].sort((one, other) => (one.row ?? 0) - (other.row ?? 0))) {
    if (choice.row === null || !choice.enabled || !about(choice)) continue;
    const kind = partsOf(choice.step).name;
    byKind.set(kind, [...(byKind.get(kind) ?? []), choice]);
  }
  return [...byKind].slice(0, ROW_BUTTONS).map(([kind, own]) => ({ kind, choices: own.filter(({ rank }) => rank === own[0]?.rank) }));
}

/** The kind of a step if it has a button on a broker's row, and so a short name; otherwise null. */
export function rowKindOf({ step, row }: Choice): StepName | null {
  return row === null ? null : partsOf(step).name;
}

/** The first possible choice with this name for this broker. */
export function choiceOn(choices: readonly Choice[], broker: number, names: readonly StepName[]): Choice | undefined {
  for (const name of names) {
    const found = choices.find((choice) => {
      const { name: kind, given } = partsOf(choice.step);
      return choice.enabled && kind === name && given.broker === broker;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}
