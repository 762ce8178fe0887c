/**
 * What the cluster looks like after one action, as the service sends it.
 *
 * The names are Kafka's and the shapes are the service's: nothing here is computed in the browser.
 */

import type { Operation } from "./patch";

/** An action in the syntax of a scenario file's step: `{"crash": {"broker": 2}}`. */
export type Step = Readonly<Record<string, unknown>>;

export type Value = string | number | boolean | null | readonly (string | number)[];
export type Numbers = Readonly<Record<string, Value>>;

/** A broker's id, or the controller. */
export type Endpoint = number | "controller";

export interface LogRecord {
  readonly offset: number;
  /** Null where the message format has none, before 0.11. */
  readonly epoch: number | null;
  readonly value: string;
  readonly id: string;
  /** Of an idempotent producer. */
  readonly producer_id?: number | null;
  readonly sequence?: number | null;
  readonly transactional?: boolean;
  /** A marker that ends a transaction, no record of a user's. */
  readonly control?: "commit" | "abort" | null;
}

export interface EventEvidence {
  readonly partition?: string;
  readonly replicas?: readonly number[];
  readonly offsets?: readonly number[];
  readonly records?: readonly LogRecord[];
  readonly frames?: readonly number[];
}

export interface TraceEvent {
  readonly kind: string;
  readonly variant?: string | null;
  readonly numbers: Numbers;
  readonly rule: string | null;
  readonly sources: readonly string[];
  readonly evidence: EventEvidence;
}

export interface Change {
  readonly what: string;
  readonly partition: string | null;
  readonly broker: number | null;
  readonly subject: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

export type PropertyStatus = "holds" | "violated" | "not_exercised";

export interface PropertyEvidence extends EventEvidence {
  readonly acked_frame?: number | null;
}

export interface Property {
  readonly status: PropertyStatus;
  readonly first_frame: number | null;
  readonly evidence: PropertyEvidence;
}

export type Role = "leader" | "follower" | "none";
export type BrokerStateName = "running" | "paused" | "stopped" | "crashed" | "shutting_down" | "fenced" | "failed";

export interface Partition {
  /** -1 when there is none. */
  readonly leader: number;
  readonly leader_epoch: number;
  readonly partition_epoch: number;
  readonly isr: readonly number[];
  readonly elr: readonly number[];
  readonly last_known_elr: readonly number[];
  readonly leader_recovery_state: "RECOVERED" | "RECOVERING";
  readonly replicas: readonly number[];
  /** While a reassignment goes on; absent in what was shared before replicas could move. */
  readonly adding_replicas?: readonly number[];
  readonly removing_replicas?: readonly number[];
  readonly preferred_leader: number;
}

export interface FollowerBelief {
  readonly log_end_offset: number | null;
  readonly last_caught_up_ms: number | null;
}

export interface Fetcher {
  readonly leader: number;
  readonly state: "truncating" | "fetching" | "resetting" | "failed" | "stopped";
  readonly fetch_offset: number | null;
  readonly leader_epoch: number;
  readonly delayed_until_ms: number | null;
}

export interface Replica {
  readonly broker_state: BrokerStateName;
  readonly role: Role;
  readonly leader: number;
  readonly leader_epoch: number;
  readonly partition_epoch: number;
  readonly log: readonly LogRecord[];
  readonly log_start_offset: number;
  readonly log_end_offset: number;
  /** Null while the broker is down: only its files are left. */
  readonly high_watermark: number | null;
  readonly last_stable_offset: number | null;
  /** [epoch, start offset] pairs; null before 0.11. */
  readonly epoch_cache: readonly (readonly [number, number])[] | null;
  /** Null where the broker has no such file, as after the loss of its disk. */
  readonly checkpoints: { readonly high_watermark: number | null; readonly recovery_point: number | null };
  /** Bytes below this offset are on disk. */
  readonly flushed: number;
  readonly followers: Readonly<Record<string, FollowerBelief>>;
  readonly isr: readonly number[];
  readonly maximal_isr: readonly number[];
  readonly pending_isr: { readonly kind: "expand" | "shrink"; readonly isr: readonly number[] } | null;
  readonly leader_epoch_start_offset: number | null;
  readonly fetcher: Fetcher | null;
  readonly in_isr: boolean;
  readonly diverging_offsets: readonly number[];
}

export interface Broker {
  readonly state: BrokerStateName;
  readonly registered: boolean;
  readonly fenced: boolean | null;
  readonly in_controlled_shutdown?: boolean | null;
  readonly broker_epoch: number | null;
  /** How far it has read the metadata log; null under ZooKeeper and while down. */
  readonly metadata_offset?: number | null;
  /** Whether the controller knows that it is down. */
  readonly noticed: boolean;
  readonly down_since_frame: number | null;
  readonly clean_shutdown: boolean;
  readonly cut_from: readonly Endpoint[];
}

/** What stands in ZooKeeper under one path. */
export interface Znode {
  readonly path: string;
  readonly value: number | readonly number[] | Readonly<Record<string, number | readonly number[]>>;
  /** The version that a write has to name, where Kafka writes so. */
  readonly version: number | null;
}

export interface Controller {
  readonly kind: "zookeeper" | "kraft";
  readonly controller_epoch: number;
  readonly metadata_offset: number | null;
  readonly live_brokers: readonly number[];
  /** Broker id to how many metadata records it has not applied. */
  readonly behind: Readonly<Record<string, number>>;
  /** Null under KRaft; absent in what was shared before it was kept. */
  readonly znodes?: readonly Znode[] | null;
}

export type Outcome = "pending" | "acked" | "failed" | "no_answer";

export interface Produced {
  readonly id: string;
  readonly as: string;
  readonly value: string;
  readonly acks: string | number;
  readonly partition: string;
  readonly offset: number | null;
  readonly outcome: Outcome;
  readonly error: string | null;
  readonly frame: number;
  readonly acked_frame: number | null;
  readonly lost_frame: number | null;
  readonly broker: number | null;
}

export interface Consumed {
  readonly as: string;
  readonly partition: string;
  readonly offset: number;
  readonly value: string;
  readonly frame: number;
}

export interface Message {
  readonly id: number;
  readonly kind: string;
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly partition: string | null;
  readonly held: boolean;
  /** A long poll that waits at the leader. */
  readonly parked: boolean;
  readonly deliverable: boolean;
  readonly numbers: Numbers;
}

export interface State {
  readonly time_ms: number;
  readonly partitions: Readonly<Record<string, Partition>>;
  readonly replicas: Readonly<Record<string, Readonly<Record<string, Replica>>>>;
  readonly brokers: Readonly<Record<string, Broker>>;
  readonly controller: Controller;
  readonly clients: {
    readonly produced: readonly Produced[];
    readonly consumed: readonly Consumed[];
    readonly consumers: Readonly<Record<string, Readonly<Record<string, number>>>>;
    readonly producers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
  readonly in_flight: readonly Message[];
  readonly links_cut: readonly (readonly [Endpoint, Endpoint])[];
  readonly metadata_version: string | null;
  readonly inter_broker_protocol_version: string | null;
  readonly configs: Readonly<Record<string, unknown>>;
  readonly acks: readonly (string | number)[];
}

export interface Frame {
  readonly frame: number;
  readonly parent: number | null;
  readonly depth: number;
  readonly item: number | null;
  readonly action: Step | null;
  /** In the order in which one led to the next. */
  readonly events: readonly TraceEvent[];
  /** The place in `events` of the one that tells most; frames stored before there was one have it first. */
  readonly headline?: number;
  readonly changes: readonly Change[];
  readonly state: State;
  readonly properties: Readonly<Record<string, Property>>;
}

/** The event that a frame is told by, where there is room for one. */
export function headlineOf(frame: Pick<Frame, "events" | "headline">): TraceEvent | undefined {
  return frame.events[frame.headline ?? 0];
}

/** A frame as a timeline carries it: a whole state now and again, JSON patches (RFC 6902) between. */
export interface FrameEntry extends Omit<Frame, "state"> {
  readonly state?: State;
  readonly patch?: readonly Operation[];
}
