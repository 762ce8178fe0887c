/** What can happen, sorted for people: by who does it, and by the thing it is done to. */

import { hasRowName } from "../messages/steps";
import type { Frame, Message, Step } from "../trace";
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
  return "consume" in choice.step ? "consumer" : "producer";
}

/** By actor, in the order in which the actors first have something to do; what cannot be done stands last. */
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

type Given = Readonly<Record<string, unknown>>;

function givenOf(step: Step): { kind: string; given: Given } {
  const [kind, given] = Object.entries(step)[0] ?? ["", {}];
  return { kind, given: typeof given === "object" && given !== null ? (given as Given) : {} };
}

/** Whether a step is done to this partition, or to none in particular. */
export function isOnPartition(choice: Choice, partition: string): boolean {
  const { kind, given } = givenOf(choice.step);
  const named = kind === "produce" ? given.to : given.partition;
  return named === undefined || named === partition;
}

const ON_MESSAGES: ReadonlySet<string> = new Set(["deliver", "drop", "hold", "release"]);

function isAbout(given: Given, message: Message): boolean {
  return (
    given.kind === message.kind &&
    given.from === message.from &&
    given.to === message.to &&
    (given.partition === undefined || given.partition === message.partition)
  );
}

/** What can be done to one thing on the stage. */
export function choicesFor(selection: Selection, choices: readonly Choice[], frame: Frame): Choice[] {
  return choices.filter(({ step, actor }) => {
    const { kind, given } = givenOf(step);
    switch (selection.kind) {
      case "broker":
      case "record":
        return actor === String(selection.broker) || given.broker === selection.broker;
      case "message": {
        const message = frame.state.in_flight.find((one) => one.id === selection.id);
        return message !== undefined && ON_MESSAGES.has(kind) && isAbout(given, message);
      }
      case "link":
        return (
          (kind === "cut" || kind === "heal" || ON_MESSAGES.has(kind)) &&
          ((given.from === selection.from && given.to === selection.to) || (given.from === selection.to && given.to === selection.from))
        );
      case "actor":
        return actor === selection.actor;
      case "evidence":
        return false;
    }
  });
}

/** What comes first on a broker's row: where it is down, then what it does by itself, then the usual faults. */
const FIRST_ON_ROW: readonly string[] = ["start", "detect", "resume", "heal", "fetch", "produce", "crash", "power_loss", "pause", "isolate", "shutdown"];
/** How many have a button on the row; the menu has all. */
const ROW_BUTTONS = 5;

export interface RowAction {
  readonly kind: string;
  /** Several where the step has variants: from whom a broker is cut off. */
  readonly choices: readonly Choice[];
}

/** The actions that stand on a broker's row: at most five kinds of step that can be done now. */
export function rowActionsOf(broker: number, choices: readonly Choice[], frame: Frame, partition: string | null): RowAction[] {
  const leads = Object.entries(frame.state.replicas).some(
    ([name, replicas]) => (partition === null || name === partition) && replicas[String(broker)]?.role === "leader",
  );
  const about = ({ step }: Choice): boolean => {
    const { kind, given } = givenOf(step);
    if (kind === "produce") return leads && (partition === null || given.to === partition);
    return given.broker === broker && (given.partition === undefined || partition === null || given.partition === partition);
  };
  const others = choices.map(({ step }) => givenOf(step).kind).filter((kind) => hasRowName(kind) && !FIRST_ON_ROW.includes(kind));
  return [...FIRST_ON_ROW, ...new Set(others)].flatMap((kind): RowAction[] => {
    const own = choices.filter((choice) => choice.enabled && givenOf(choice.step).kind === kind && about(choice));
    const [first] = own;
    if (first === undefined) return [];
    return [{ kind, choices: kind === "isolate" ? own : [first] }];
  }).slice(0, ROW_BUTTONS);
}

/** The kind of a step that has a short name on a broker's row; null for the others. */
export function rowKindOf({ step }: Choice): string | null {
  const { kind } = givenOf(step);
  return hasRowName(kind) ? kind : null;
}

/** The first choice that can be done, has this name, and is done to this broker. */
export function choiceOn(choices: readonly Choice[], broker: number, names: readonly string[]): Choice | undefined {
  for (const name of names) {
    const found = choices.find((choice) => {
      const { kind, given } = givenOf(choice.step);
      return choice.enabled && kind === name && given.broker === broker;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}
