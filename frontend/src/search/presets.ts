/** Presets in words: each is a budget of the faults that the service can inject. */

import { languageOf, type Filling, type Lang } from "../language";
import type { SearchableFault, SearchQuestion, SearchResult } from "../service/search";
import type { Frame } from "../trace";

export const PRESETS = ["one", "several", "zombie", "rack", "own"] as const;
export type Preset = (typeof PRESETS)[number];

export type Budget = Readonly<Partial<Record<SearchableFault["name"], number>>>;

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

/** The budget of a preset; unknown faults are omitted. */
export function budgetOf(
  preset: Exclude<Preset, "own">,
  machines: number,
  faults: readonly SearchableFault[],
): Budget {
  const wanted: Readonly<Record<typeof preset, Budget>> = {
    one: { crash: 1, drop: 1, produce: 2 },
    several: { crash: 2, drop: 1, hold: 1, produce: 2 },
    zombie: { isolate: 1, produce: 2 },
    rack: { power_loss: machines, produce: 2 },
  };
  const names: ReadonlySet<string> = new Set(faults.map(({ name }) => name));
  return Object.fromEntries(Object.entries(wanted[preset]).filter(([name]) => names.has(name)));
}

export type Acks = NonNullable<SearchQuestion["acks"]>;

/**
 * The acks of the records that a preset sends. A leader that does not know that it was deposed has
 * no followers, so it acknowledges nothing with acks=all: only records with acks=1 are lost.
 */
export function acksOf(preset: Exclude<Preset, "own">): Acks {
  return preset === "zombie" ? 1 : "all";
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

/** The search request; empty numbers mean no bound. */
export function questionOf(
  after: number,
  about: {
    readonly property: string;
    readonly depth: number;
    readonly seconds: number;
    readonly finer: boolean;
    readonly acks: Acks;
  },
  budget: Readonly<Record<string, number | null | undefined>>,
): SearchQuestion & { readonly after: number } {
  const named = Object.entries(budget).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  return {
    after,
    property: about.property,
    grain: about.finer ? "message" : "step",
    max_depth: about.depth,
    seconds: about.seconds,
    acks: about.acks,
    budget: Object.fromEntries(named),
  };
}
