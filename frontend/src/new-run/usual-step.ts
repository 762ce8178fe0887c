/** A step as the form inserts it: its required arguments, with values from the cluster of the draft. */

import type { StepForm } from "../service/api";
import type { Shape, Step } from "./draft-document";

type Argument = StepForm["arguments"][number];

const TIME_MS = 1000;

/** The step on the first broker and the first partition; the author changes it in the file. */
export function usualStep(form: StepForm, shape: Pick<Shape, "brokers" | "topics">): Step {
  const given = form.arguments.filter((argument) => argument.required || isNeeded(argument, form));
  return {
    kind: form.name,
    about: Object.fromEntries(
      given.map((argument) => [argument.name, usualValue(argument, shape)]),
    ),
  };
}

/** Some arguments are optional only because others can take their place. */
function isNeeded({ name, kind }: Argument, form: StepForm): boolean {
  const required = form.arguments.filter((argument) => argument.required);
  if (name === "from") return required.some((argument) => argument.name === "to");
  return (
    name === "broker" &&
    ["broker", "endpoint"].includes(kind) &&
    form.arguments.length > 0 &&
    !required.some(isPlace)
  );
}

function isPlace({ kind }: Argument): boolean {
  return ["broker", "endpoint", "partition", "client"].includes(kind);
}

function usualValue(
  argument: Argument,
  { brokers, topics }: Pick<Shape, "brokers" | "topics">,
): unknown {
  const [first = 1, second = first] = brokers.map((broker) => broker.id);
  switch (argument.kind) {
    case "partition":
      return `${topics[0]?.name ?? "t"}-0`;
    case "broker":
      return first;
    case "endpoint":
      return argument.name === "to" ? second : first;
    case "values":
      return ["m1"];
    case "client":
      return argument.default ?? "p1";
    case "number":
      return Math.max(TIME_MS, argument.minimum ?? TIME_MS);
    case "replicas":
      return brokers.map((broker) => broker.id).reverse();
    default:
      return argument.choices[0];
  }
}
