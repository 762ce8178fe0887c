/** Figures of terms that have no sign on the stage. */

/** Sets of the replicas 1, 2 and 3, of which 1 leads: who is in the set, and who may be. */
export const SETS = {
  AR: { members: [1, 2, 3], pending: [], outside: [] },
  ISR: { members: [1, 2], pending: [], outside: [3] },
  OSR: { members: [3], pending: [], outside: [3] },
  "maximal-ISR": { members: [1, 2], pending: [3], outside: [3] },
  ELR: { members: [2], pending: [], outside: [2, 3] },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly members: readonly number[];
      readonly pending: readonly number[];
      readonly outside: readonly number[];
    }
  >
>;

/** Requests and commands: sender and receiver. F follows, L leads, C is the controller, B a broker. */
export const REQUESTS = {
  follower: ["F", "L"],
  OffsetsForLeaderEpoch: ["F", "L"],
  AlterPartition: ["L", "C"],
  LeaderAndIsr: ["C", "B"],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

/** Files on a broker's disk, with an example. */
export const FILES = {
  checkpoint: "t-0 2",
  "recovery-point": "t-0 1",
  "clean-shutdown-marker": "✓",
} as const satisfies Readonly<Record<string, string>>;

/** Replicas of which one becomes leader: inside the ISR, or outside it. */
export const ELECTIONS = { "clean-election": 2, "unclean-election": 3 } as const satisfies Readonly<
  Record<string, number>
>;

/** Numbers that increase: the one before a change, and the one after it. */
export const COUNTERS = {
  "partition-epoch": [4, 5],
  "znode-version": [4, 5],
  "broker-epoch": [7, 12],
  "controller-epoch": [1, 2],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

/** What the producer waits for, and which replicas that are, of 1, 2 and 3; 3 is not in the ISR. */
export const ACKS = [
  ["0", []],
  ["1", [1]],
  ["all", [1, 2]],
] as const satisfies readonly (readonly [string, readonly number[]])[];

/** The others; each is drawn by its name. */
const OTHERS = [
  "offset",
  "leader-epoch",
  "acknowledged",
  "acks",
  "long-poll",
  "metadata-log",
  "fenced",
  "min-insync-replicas",
  "controller",
  "ZooKeeper",
  "KRaft",
  "leader-recovery-state",
  "replica-lag-time-max-ms",
] as const;

export type TermFigureName =
  | keyof typeof SETS
  | keyof typeof REQUESTS
  | keyof typeof FILES
  | keyof typeof ELECTIONS
  | keyof typeof COUNTERS
  | (typeof OTHERS)[number];

const NAMES: ReadonlySet<string> = new Set(
  [SETS, REQUESTS, FILES, ELECTIONS, COUNTERS].flatMap((kind) => Object.keys(kind)).concat(OTHERS),
);

export function isTermFigure(id: string): id is TermFigureName {
  return NAMES.has(id);
}
