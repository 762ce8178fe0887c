/**
 * Presets in words: each is a question with a budget of the faults that the service can inject. How
 * much is asked follows from what a search decided in a new cluster of the same size (decided.json).
 */

import { languageOf, type Filling, type Lang } from "../language";
import type { SearchableFault, SearchQuestion, SearchResult } from "../service/search";
import type { Frame } from "../trace";
import type { Question } from "./in-turn";
import table from "./decided.json";

export const PRESETS = ["crashes", "power", "zombie", "rack", "own"] as const;
export type Preset = (typeof PRESETS)[number];

export type Budget = Readonly<Partial<Record<SearchableFault["name"], number>>>;
export type Acks = NonNullable<SearchQuestion["acks"]>;

/** One grain, or `both`: whole exchanges, which need few states, and then every message. */
export const GRAINS = ["both", "exchange", "message", "step"] as const;
export type Grain = (typeof GRAINS)[number];

/** What a preset asks of a cluster. */
export interface Asked {
  /** From small to large; they are searched in turn. */
  readonly budgets: readonly Budget[];
  readonly acks: Acks;
  /** The largest budget that was decided, or found to fail, and how long that took. */
  readonly decision: Decision;
}

/**
 * `decided` and `found`: within so many seconds of processor time, at this grain. `cut`: not within
 * the limit. `unknown`: clusters of this size were not searched.
 */
export type Decision =
  | {
      readonly kind: "decided" | "found";
      readonly budget: Budget;
      readonly grain: SearchGrain;
      readonly seconds: number;
    }
  | { readonly kind: "cut"; readonly seconds: number }
  | { readonly kind: "unknown" };

type SearchGrain = SearchResult["grain"];
type Row = (typeof table.decided)[number];

/** What a preset asks in the cluster of a frame. */
export function askedBy(preset: Exclude<Preset, "own">, frame: Frame): Asked {
  if (preset === "rack") {
    const budgets = [{ power_loss: machinesOfARack(frame), produce: 1 }];
    return { budgets, acks: "all", decision: { kind: "unknown" } };
  }
  const { budgets, acks } = table.questions[preset];
  const size = Object.keys(frame.state.brokers).length;
  const rows = table.decided.filter(
    (one) =>
      one.preset === preset && one.control === frame.state.controller.kind && one.brokers === size,
  );
  return {
    budgets,
    acks: acks as Acks,
    decision: !table.brokers.includes(size)
      ? { kind: "unknown" }
      : rows.length === 0
        ? { kind: "cut", seconds: table.seconds }
        : decisionOf(rows, budgets),
  };
}

/** The failure found first or, without one, the most that was decided, by messages if possible. */
function decisionOf(rows: readonly Row[], budgets: readonly Budget[]): Decision {
  const weight = ({ violated, grain, budget, cpu_seconds }: Row): number =>
    violated ? 1000 - cpu_seconds : budget + (grain === "message" ? 100 : 0);
  const [best] = rows.toSorted((a, b) => weight(b) - weight(a)) as [Row];
  return {
    kind: best.violated ? "found" : "decided",
    budget: budgets[best.budget] ?? {},
    grain: best.grain as SearchGrain,
    seconds: Math.max(1, Math.round(best.cpu_seconds)),
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
