/** Figures of terms that have no sign on the stage. */

/** Sets of the replicas 1, 2 and 3, of which 1 leads: who is in the set, and who may be. */
export const SETS: Readonly<
  Record<string, { members: readonly number[]; pending?: number; outside: readonly number[] }>
> = {
  AR: { members: [1, 2, 3], outside: [] },
  ISR: { members: [1, 2], outside: [3] },
  OSR: { members: [3], outside: [3] },
  "maximal-ISR": { members: [1, 2], pending: 3, outside: [3] },
  ELR: { members: [2], outside: [2, 3] },
};

/** Requests and commands: sender and receiver. F follows, L leads, C is the controller, B a broker. */
export const REQUESTS: Readonly<Record<string, readonly [string, string]>> = {
  follower: ["F", "L"],
  OffsetsForLeaderEpoch: ["F", "L"],
  AlterPartition: ["L", "C"],
  LeaderAndIsr: ["C", "B"],
  UpdateMetadata: ["C", "B…"],
  StopReplica: ["C", "F"],
};

/** Files on a broker's disk, with an example. */
export const FILES: Readonly<Record<string, string>> = {
  checkpoint: "t-0 2",
  "recovery-point": "t-0 1",
  "clean-shutdown-marker": "✓",
};

/** Replicas of which one becomes leader: inside the ISR, or outside it. */
export const ELECTIONS: Readonly<Record<string, number>> = {
  "clean-election": 2,
  "unclean-election": 3,
};

/** Numbers that increase: the one before a change, and the one after it. */
export const COUNTERS: Readonly<Record<string, readonly [number, number]>> = {
  "partition-epoch": [4, 5],
  "znode-version": [4, 5],
  "broker-epoch": [7, 12],
  "controller-epoch": [1, 2],
};

/** What the producer waits for, and which replicas that are, of 1, 2 and 3; 3 is not in the ISR. */
export const ACKS: readonly (readonly [string, readonly number[]])[] = [
  ["0", []],
  ["1", [1]],
  ["all", [1, 2]],
];

/** The others; each is drawn by its name. */
const OTHERS = [
  "offset",
  "leader-epoch",
  "acknowledged",
  "acks",
  "idempotent-producer",
  "long-poll",
  "metadata-log",
  "fenced",
  "min-insync-replicas",
  "controller",
  "ZooKeeper",
  "KRaft",
  "leader-recovery-state",
  "replica-lag-time-max-ms",
];

const NAMES: ReadonlySet<string> = new Set(
  [SETS, REQUESTS, FILES, ELECTIONS, COUNTERS].flatMap((kind) => Object.keys(kind)).concat(OTHERS),
);

export function hasTermFigure(term: string): boolean {
  return NAMES.has(term);
}
