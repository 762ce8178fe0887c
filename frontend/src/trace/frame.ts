/**
 * The state of the cluster after one action, as the service sends it.
 *
 * The names are Kafka's. The types are generated from the service's schema, which describes each
 * field and what null means. Nothing here is computed in the browser.
 */

import type { components } from "../schema/openapi";

type Schemas = components["schemas"];

/** The name of a step of a scenario file, such as `power_loss`. */
export type StepName = Schemas["StepName"];
/** An action in the syntax of a scenario file's step: `{"crash": {"broker": 2}}`. */
export type Step = { readonly [Name in StepName]?: unknown };
/** The numbers of each event, by the name of its class in the engine. */
export type EventNumbers = Schemas["EventNumbers"];
/** The name of an event's class in the engine. */
export type EventName = keyof EventNumbers;
/** The values for a sentence's placeholders. */
export type Numbers = Schemas["EventDocument"]["numbers"];
export type TraceEvent = Omit<Schemas["EventDocument"], "kind"> & { readonly kind: EventName };

export type Frame = Omit<Schemas["FrameDocument"], "action" | "events"> & {
  readonly action: Step | null;
  readonly events: readonly TraceEvent[];
};
/** A frame in a timeline: complete states at intervals, patches in between. */
export type FrameEntry = Omit<Schemas["FrameEntry"], "action" | "events"> &
  Pick<Frame, "action" | "events">;
/** One operation of a JSON Patch (RFC 6902): the three that the service uses. */
export type PatchOperation = Schemas["PatchOperation"];
export type Change = Schemas["ChangeDocument"];
export type Property = Schemas["PropertyDocument"];

export type State = Schemas["StateDocument"];
export type Replica = Schemas["ReplicaDocument"];
export type LogRecord = Schemas["LogRecordDocument"];
export type Broker = Schemas["BrokerDocument"];
export type Produced = Schemas["ProducedDocument"];
export type Message = Schemas["MessageDocument"];
/** One step of a run's story. */
export type StoryStep = Schemas["StoryStepDocument"];
/** A broker's id, or the controller. */
export type Endpoint = Message["from"];

/** Whether a broker is neither running nor paused, by its state. */
export function isDown(state: Replica["broker_state"]): boolean {
  return state === "crashed" || state === "stopped" || state === "failed";
}

type Given = Readonly<Record<string, unknown>>;

/** Name and arguments of a step. A step has exactly one name. */
export function partsOf(step: Step): { readonly name: StepName; readonly given: Given } {
  const [name, given] = Object.entries(step)[0] as [StepName, unknown];
  return { name, given: typeof given === "object" && given !== null ? (given as Given) : {} };
}

/** The headline of a frame; undefined if it has no events. */
export function headlineOf(frame: Pick<Frame, "events" | "headline">): TraceEvent | undefined {
  return frame.events[frame.headline];
}

/** The names that producers and consumers have by now; they are the author's and may be any word. */
export function clientNames({ state: { clients } }: Frame): ReadonlySet<string> {
  return new Set([
    ...Object.keys(clients.consumers),
    ...clients.produced.map((record) => record.as),
    ...clients.consumed.map((record) => record.as),
  ]);
}

/** Whether any of these frames is later than the first one: some lessons consist of steps that take no time. */
export function hasTime(frames: readonly Frame[]): boolean {
  return (frames.at(-1)?.state.time_ms ?? 0) > (frames[0]?.state.time_ms ?? 0);
}
