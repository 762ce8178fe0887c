/** What may go wrong, in words: each a budget of faults for the search, of those that the service can try. */

import type { SearchableFault, SearchQuestion } from "../service/search";
import type { Frame } from "../trace";

export const PRESETS = ["one", "several", "zombie", "rack", "own"] as const;
export type Preset = (typeof PRESETS)[number];

export type Budget = Readonly<Record<string, number>>;

const MOST_AT_ONCE = 3;

/** How many machines one power failure takes: the largest rack; two where no racks are known. */
export function machinesOfARack(frame: Frame | undefined): number {
  const racks = Object.values(frame?.state.brokers ?? {}).map(({ rack }) => rack ?? null);
  const sizes = racks.filter((rack) => rack !== null).map((rack) => racks.filter((other) => other === rack).length);
  return Math.min(sizes.length > 0 ? Math.max(...sizes) : 2, MOST_AT_ONCE, Math.max(racks.length, 1));
}

/** The budget of a preset; what the service does not know is left out. */
export function budgetOf(preset: Exclude<Preset, "own">, machines: number, faults: readonly SearchableFault[]): Budget {
  const wanted: Readonly<Record<typeof preset, Budget>> = {
    one: { crash: 1, drop: 1, produce: 2 },
    several: { crash: 2, drop: 1, hold: 1, produce: 2 },
    zombie: { isolate: 1, pause: 1, hold: 1, crash: 1, produce: 2 },
    rack: { power_loss: machines, produce: 2 },
  };
  const names = new Set(faults.map(({ name }) => name));
  return Object.fromEntries(Object.entries(wanted[preset]).filter(([name]) => names.has(name)));
}

/** What a person sets by hand begins as what the service tries unless told. */
export function ownBudget(faults: readonly SearchableFault[]): Record<string, number | null> {
  return Object.fromEntries(faults.map(({ name, allowed }) => [name, allowed]));
}

/** What is asked: empty numbers are no bound. */
export function questionOf(
  after: number,
  about: { readonly property: string; readonly depth: number; readonly seconds: number; readonly finer: boolean },
  budget: Readonly<Record<string, number | null | undefined>>,
): SearchQuestion {
  const named = Object.entries(budget).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return {
    after,
    property: about.property,
    grain: about.finer ? "message" : "step",
    max_depth: about.depth,
    seconds: about.seconds,
    budget: Object.fromEntries(named),
  };
}
