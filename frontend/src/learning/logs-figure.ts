/** What the large figure of a step reads from its frame. */

import type { SimpleView } from "../service/api";
import { isDown, type Frame } from "../trace";

/** In an answer about the end of a log. */
const NOT_TOLD = -1;

export type StagePart = SimpleView["parts"][number];

/** A question about the end of a log, and its answer, in a step. */
export interface Question {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/**
 * The question that was asked and answered in a step; null if there was none, or if the leader could
 * not tell: then its answer has -1.
 */
export function questionIn(frame: Frame): Question | null {
  const asked = frame.events.find(({ kind }) => kind === "EpochLookupSent");
  const answered = frame.events.find(({ kind }) => kind === "EpochLookupAnswered");
  const end = Number(answered?.numbers.end_offset ?? NOT_TOLD);
  if (asked === undefined || end === NOT_TOLD) return null;
  return { from: Number(asked.numbers.broker), to: Number(asked.numbers.leader), end };
}

/** A follower's request for records, and what it got. */
export interface Exchange {
  readonly follower: number;
  readonly leader: number;
  readonly offset: number;
  /** The values of the records; empty if there was nothing new. */
  readonly values: readonly string[];
}

/** The last request for records that was answered in a step; null if there was none. */
export function exchangeIn(frame: Frame, partition: string): Exchange | null {
  const { events } = frame;
  const at = events.findLastIndex(
    ({ kind, numbers }) => kind === "FetchApplied" && numbers.partition === partition,
  );
  const got = events[at]?.numbers;
  const asked = events
    .slice(0, Math.max(0, at))
    .findLast(
      ({ kind, numbers }) =>
        kind === "FetchSent" && numbers.partition === partition && numbers.broker === got?.broker,
    )?.numbers;
  if (got === undefined || asked === undefined) return null;
  return {
    follower: Number(asked.broker),
    leader: Number(asked.leader),
    offset: Number(asked.fetch_offset),
    values: Array.isArray(got.values) ? got.values.map(String) : [],
  };
}

/** What a broker is in a partition, as the name of its text. */
export function roleOf(
  frame: Frame,
  partition: string,
  broker: number,
): "roleDown" | "roleLeader" | "roleAsks" | "roleFollower" {
  const replica = frame.state.replicas[partition]?.[String(broker)];
  if (replica !== undefined && isDown(replica.broker_state)) return "roleDown";
  if (frame.state.partitions[partition]?.leader === broker) return "roleLeader";
  return replica?.fetcher?.state === "truncating" ? "roleAsks" : "roleFollower";
}
