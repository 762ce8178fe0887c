/**
 * Presets in words: each is a question with budgets of the faults that the service can inject. If the
 * same search was measured in the same state, its result is known before it begins (decided.json).
 */

import { languageOf, type Filling, type Lang } from "../language";
import type { SearchableFault, SearchQuestion, SearchResult } from "../service/search";
import type { Frame } from "../trace";
import { SHARE_OF_STEPS, type Budget, type Grain, type Question } from "./in-turn";
import table from "./decided.json";
import { digestOf } from "./state-digest";

export const PRESETS = ["crashes", "power", "zombie", "rack", "own"] as const;
export type Preset = (typeof PRESETS)[number];

export type Acks = NonNullable<SearchQuestion["acks"]>;

/** What a preset asks of a cluster. */
export interface Asked {
  /** From small to large; they are searched in turn. */
  readonly budgets: readonly Budget[];
  readonly acks: Acks;
}

export function askedBy(preset: Exclude<Preset, "own">, frame: Frame): Asked {
  if (preset === "rack")
    return { budgets: [{ power_loss: machinesOfARack(frame), produce: 1 }], acks: "all" };
  const { budgets, acks } = table.questions[preset];
  return { budgets, acks: acks as Acks };
}

/** A run at a frame: everything that a search from there depends on. */
export interface StartOfSearch {
  readonly kafka: string;
  /** The rules of Kafka that its scenario turns on or off. */
  readonly rules?: Readonly<Record<string, boolean>> | undefined;
  readonly frame: Frame;
}

/** The limits within which a preset is searched. */
export type Limits = Pick<SearchQuestion, "property" | "max_depth"> & {
  readonly grain: Grain;
  readonly seconds: number;
};

/** What whole steps decide of a preset, and in about how many seconds of processor time. */
export interface Decision {
  readonly kind: "decided" | "found";
  readonly budget: Budget;
  readonly seconds: number;
}

/** How much slower than where the times were measured a machine may be. */
const SLOWER = 1.5;

/**
 * The failure that is found or, without one, the largest budget that is decided. Null if this state
 * was not searched before, or if the limits are too low to promise anything.
 */
export function decisionOf(
  preset: Preset,
  { kafka, rules = {}, frame }: StartOfSearch,
  limits: Limits,
): Decision | null {
  const share = limits.grain === "all" ? SHARE_OF_STEPS : limits.grain === "step" ? 1 : 0;
  if (preset === "own" || preset === "rack" || limits.property !== "NoAckedRecordLost") return null;
  const state = digestOf({ kafka, rules, state: frame.state });
  const row = table.decided.findLast(
    (one) =>
      one.state === state &&
      one.preset === preset &&
      one.depth <= (limits.max_depth ?? 0) &&
      one.cpu_seconds * SLOWER <= limits.seconds * share,
  );
  if (row === undefined) return null;
  return {
    kind: row.violated ? "found" : "decided",
    budget: table.questions[preset].budgets[row.budget] ?? {},
    seconds: Math.max(1, Math.round(row.cpu_seconds)),
  };
}

const MOST_AT_ONCE = 3;

/** The number of machines in one power failure: the largest rack, or two without racks. */
export function machinesOfARack(frame: Frame | undefined): number {
  const racks = Object.values(frame?.state.brokers ?? {}).map(({ rack }) => rack);
  const sizes = racks
    .filter((rack) => rack !== null)
    .map((rack) => racks.filter((other) => other === rack).length);
  return Math.min(
    sizes.length > 0 ? Math.max(...sizes) : 2,
    MOST_AT_ONCE,
    Math.max(racks.length, 1),
  );
}

const ONLY_UNDER: Readonly<Partial<Record<SearchableFault["name"], "kraft" | "zookeeper">>> = {
  fail_controller: "zookeeper",
  hold: "kraft",
};

/**
 * Whether something can happen in a run: under ZooKeeper there is no metadata log to hold back, and
 * a KRaft controller never fails.
 */
export function isPossible(fault: SearchableFault["name"], frame: Frame): boolean {
  return (ONLY_UNDER[fault] ?? frame.state.controller.kind) === frame.state.controller.kind;
}

/** Whether the brokers of a run have racks. */
export function hasRacks(frame: Frame): boolean {
  return Object.values(frame.state.brokers).some(({ rack }) => rack !== null);
}

/** A custom budget starts with the service's defaults. */
export function ownBudget(faults: readonly SearchableFault[]): Record<string, number | null> {
  return Object.fromEntries(faults.map(({ name, allowed }) => [name, allowed]));
}

/** The numbers of a search for its texts. */
export function numbersOf(
  { states, depth, seconds }: Pick<SearchResult, "states" | "depth" | "seconds">,
  lang: Lang,
): Filling {
  return {
    count: states,
    states: states.toLocaleString(languageOf(lang).formats),
    depth,
    seconds: seconds.toFixed(1),
  };
}

/** A custom budget without empty numbers, which mean no bound. */
export function allowedOf(own: Readonly<Record<string, number | null | undefined>>): Budget {
  return Object.fromEntries(
    Object.entries(own).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

/** The search request, without its budget and grain. */
export function questionOf(
  after: number,
  about: {
    readonly property: string;
    readonly depth: number;
    readonly seconds: number;
    readonly acks: Acks;
  },
): Question {
  return {
    after,
    property: about.property,
    max_depth: about.depth,
    seconds: about.seconds,
    acks: about.acks,
  };
}
