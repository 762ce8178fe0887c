/** The form of a step: its initial values, and the step built from its fields. */

import { sayFirst } from "../messages/actions";
import { stepName } from "../messages/steps";
import { problemMessage, type Choice, type Problem, type StepForm } from "../service/api";
import { partsOf, type Frame, type Lang, type Step, type StepName } from "../trace";
import { valuesFrom, type EnteredCount } from "./values";

export type Argument = StepForm["arguments"][number];
/**
 * The contents of the fields by name, as text; a switch is "true" or empty, and an omitted value is
 * empty.
 */
export type Filled = Readonly<Record<string, string>>;

/** The context of the form: the partition and the broker that the user is looking at, if any. */
export interface Looking {
  readonly partition: string | null;
  readonly broker: number | null;
}

type Given = Readonly<Record<string, unknown>>;

/** The parts of the cluster that an argument can refer to; empty for other arguments. */
export function optionsOf(argument: Argument, frame: Frame): readonly string[] {
  const { state } = frame;
  const brokers = Object.keys(state.brokers);
  switch (argument.kind) {
    case "broker":
      return brokers;
    case "endpoint":
      return [...brokers, "controller"];
    case "partition":
      return Object.keys(state.partitions);
    default:
      return argument.choices.map(String);
  }
}

/** The kinds of messages that are waiting in a frame, and the other ones. */
export function byWaiting(
  kinds: readonly string[],
  { state }: Frame,
): readonly [readonly string[], readonly string[]] {
  const waiting = new Set<string>(state.in_flight.map(({ kind }) => kind));
  return [kinds.filter((kind) => waiting.has(kind)), kinds.filter((kind) => !waiting.has(kind))];
}

/** The existing clients; a new name can be entered too. */
export function clientsOf(name: StepName, frame: Frame): readonly string[] {
  const { producers, consumers } = frame.state.clients;
  return Object.keys(
    name === "consume"
      ? consumers
      : name === "refresh"
        ? { ...producers, ...consumers }
        : producers,
  );
}

/**
 * The common case: the engine's offer of this step in the current context, otherwise its defaults.
 */
export function commonCase(
  form: StepForm,
  choices: readonly Choice[],
  frame: Frame,
  looking: Looking,
): Filled {
  const offered = choices
    .map((choice) => ({ choice, ...partsOf(choice.step) }))
    .filter(({ name }) => name === form.name)
    .map((one) => ({ ...one, fits: fitOf(one.given, one.choice, looking) }))
    .sort((one, other) => other.fits - one.fits);
  const given = { ...offered[0]?.given };
  return fill(form, given, frame, looking);
}

function fitOf(given: Given, choice: Choice, { partition, broker }: Looking): number {
  const there = given.partition ?? given.to;
  return (
    (partition !== null && there === partition ? 4 : 0) +
    (broker !== null && (given.broker === broker || given.from === broker) ? 2 : 0) +
    (choice.enabled ? 1 : 0)
  );
}

/** The fields with the given values, and a default in each required one. */
export function fill(form: StepForm, given: Given, frame: Frame, looking: Looking): Filled {
  const filled: Record<string, string> = {};
  for (const argument of form.arguments) {
    const value = given[argument.name] ?? argument.default;
    if (argument.kind === "kept") {
      for (const [partition, offset] of Object.entries((value ?? {}) as Given))
        filled[keptField(argument.name, partition)] = String(offset);
    } else if (value !== null && value !== undefined && value !== false)
      filled[argument.name] = written(argument, value);
    else
      filled[argument.name] = argument.required ? firstOf(argument, form.name, frame, looking) : "";
  }
  return filled;
}

/** The field of a power loss for one partition. */
export function keptField(name: string, partition: string): string {
  return `${name}/${partition}`;
}

function written(argument: Argument, value: unknown): string {
  if (Array.isArray(value))
    return value.map(String).join(argument.kind === "replicas" ? ", " : " ");
  return String(value);
}

function firstOf(
  argument: Argument,
  step: StepName,
  frame: Frame,
  { partition, broker }: Looking,
): string {
  if (argument.kind === "partition" && partition !== null) return partition;
  if (argument.kind === "broker" && broker !== null) return String(broker);
  if (argument.kind === "client") return clientsOf(step, frame)[0] ?? "";
  return optionsOf(argument, frame)[0] ?? "";
}

/** The step built from the fields; empty ones are omitted, and the service reports errors. */
export function stepFrom(form: StepForm, filled: Filled, count: EnteredCount): Step {
  const given: Record<string, unknown> = {};
  for (const argument of form.arguments) {
    const value = valueOf(argument, filled, count);
    if (value !== undefined && (argument.required || value !== argument.default))
      given[argument.name] = value;
  }
  return { [form.name]: given };
}

function valueOf(argument: Argument, filled: Filled, count: EnteredCount): unknown {
  if (argument.kind === "kept") {
    const kept = Object.entries(filled).filter(
      ([name, value]) => name.startsWith(`${argument.name}/`) && value.trim() !== "",
    );
    return kept.length === 0
      ? undefined
      : Object.fromEntries(
          kept.map(([name, value]) => [name.slice(argument.name.length + 1), numberOr(value)]),
        );
  }
  const text = (filled[argument.name] ?? "").trim();
  if (argument.kind === "switch") return text === "true";
  if (text === "") return argument.nullable ? null : undefined;
  switch (argument.kind) {
    case "values":
      return valuesFrom(text, count);
    case "replicas":
      return text.split(/[\s,，]+/).map(numberOr);
    case "acks":
    case "broker":
    case "endpoint":
    case "number":
      return numberOr(text);
    default:
      return text;
  }
}

/** The entered number; otherwise the text, for which the service reports the error. */
function numberOr(text: string): number | string {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : text.trim();
}

/**
 * The arguments that differ from the given ones; `undefined` removes one. An argument that stays as
 * it was filled in is not among them, so that a default that is written out stays.
 */
export function changedArguments(
  form: StepForm,
  given: Given,
  before: Filled,
  after: Filled,
  count: EnteredCount,
): Readonly<Record<string, unknown>> {
  const now = partsOf(stepFrom(form, after, count)).given;
  const names = form.arguments
    .map(({ name }) => name)
    .filter((name) => {
      const isSame = JSON.stringify(now[name]) === JSON.stringify(given[name]);
      const isUntouched =
        given[name] !== undefined &&
        count === null &&
        JSON.stringify(partsOf(stepFrom(form, before, null)).given[name]) ===
          JSON.stringify(now[name]);
      return !isSame && !isUntouched;
    });
  return Object.fromEntries(names.map((name) => [name, now[name]]));
}

/** The label of an argument's field. */
export function argumentLabel(form: StepForm, name: string, lang: Lang): string {
  return sayFirst(lang, [`arg-${form.name}-${name}`, `arg-${name}`]) ?? name;
}

/**
 * The message of an error in a step, with the form's labels instead of the file's names: of the
 * argument that the error is in, and of the step and all its arguments if it is in the whole step.
 */
export function messageInForm(
  form: StepForm | undefined,
  problem: Pick<Problem, "where" | "message" | "said">,
  lang: Lang,
): string {
  const message = problemMessage(problem, lang);
  const path = `${problem.where}/`.split(`/${form?.name ?? ""}/`)[1];
  if (form === undefined || path === undefined) return message;
  const [argument] = path.split("/");
  const given = form.arguments.map(({ name }) => name);
  const names = argument === "" ? [form.name, ...given] : given.filter((name) => name === argument);
  const named = new Set<string>();
  return message.replace(/[\w.-]*\w/g, (word, at: number) => {
    if (!names.includes(word) || named.has(word)) return word;
    named.add(word);
    if (word !== form.name) return argumentLabel(form, word, lang);
    const name = stepName(word, lang);
    return message[at - 1] === "“" ? name : `“${name}”`;
  });
}

/** Argument → the service's error; under "", errors that belong to no argument. */
export function wrongFields(
  form: StepForm,
  problems: readonly Problem[],
  lang: Lang,
): Readonly<Record<string, string>> {
  const wrong: Record<string, string> = {};
  for (const problem of problems) {
    const [argument = "", inner] = problem.where
      .replace(`/step/${form.name}`, "")
      .split("/")
      .slice(1);
    const known = form.arguments.find((one) => one.name === argument);
    const field =
      known === undefined
        ? ""
        : known.kind === "kept" && inner !== undefined
          ? keptField(argument, inner)
          : argument;
    wrong[field] ??= messageInForm(form, problem, lang);
  }
  return wrong;
}

/** Whether an error belongs to a field, beside which it is shown. */
export function isAtField(wrong: Readonly<Record<string, string>>): boolean {
  return Object.keys(wrong).some((field) => field !== "");
}

/**
 * The form of a step with arguments other than its place; undefined if there is nothing to fill in.
 */
export function formOf(step: Step, forms: readonly StepForm[]): StepForm | undefined {
  const { name } = partsOf(step);
  return forms.find(
    (form) => form.name === name && form.arguments.some((argument) => argument.name !== "broker"),
  );
}
