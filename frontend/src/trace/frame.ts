/**
 * What the cluster looks like after one action, as the service sends it.
 *
 * The names are Kafka's and the shapes are the service's, generated from its schema, which says what each
 * field holds and what null means: nothing here is computed in the browser.
 */

import type { components } from "../schema/openapi";

type Schemas = components["schemas"];

export type Frame = Schemas["FrameDocument"];
/** A frame as a timeline carries it: a whole state now and again, patches between. */
export type FrameEntry = Schemas["FrameEntry"];
/** An action in the syntax of a scenario file's step: `{"crash": {"broker": 2}}`. */
export type Step = NonNullable<Frame["action"]>;
/** One operation of a JSON Patch (RFC 6902): the three that the service uses. */
export type PatchOperation = Schemas["PatchOperation"];
export type Change = Schemas["ChangeDocument"];
export type TraceEvent = Schemas["EventDocument"];
/** What fills a sentence's places. */
export type Numbers = TraceEvent["numbers"];
export type Value = Numbers[string];
export type Property = Schemas["PropertyDocument"];

export type State = Schemas["StateDocument"];
export type Partition = Schemas["PartitionDocument"];
export type Replica = Schemas["ReplicaDocument"];
export type Role = Replica["role"];
export type LogRecord = Schemas["LogRecordDocument"];
export type Fetcher = Schemas["FetcherDocument"];
export type Broker = Schemas["BrokerDocument"];
export type BrokerStateName = Broker["state"];
export type Controller = Schemas["ControllerDocument"];
export type Produced = Schemas["ProducedDocument"];
export type Outcome = Produced["outcome"];
export type Message = Schemas["MessageDocument"];
/** One step of a run's story. */
export type StoryStep = Schemas["StoryStepDocument"];
/** A broker's id, or the controller. */
export type Endpoint = Message["from"];

/** The event that a frame is told by, where there is room for one: of one that names none, the first. */
export function headlineOf(frame: Pick<Frame, "events" | "headline">): TraceEvent | undefined {
  return frame.events[frame.headline ?? 0];
}
