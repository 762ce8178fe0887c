/**
 * The running search of a run, saved in this tab with its results so far: after a reload, the page
 * asks for the rest again and receives what is found.
 */

import { GRAINS, type Budget, type Grain, type Question, type Turn } from "./in-turn";
import { PRESETS, type Preset } from "./presets";

export interface SavedSearch {
  readonly preset: Preset;
  /** The searches that belong to it, which are asked in turn again. */
  readonly grain?: Grain;
  readonly budgets?: readonly Budget[];
  readonly question: Question;
  /** The results so far, which are not asked for again. */
  readonly turns?: readonly Turn[];
}

function keyOf(session: string): string {
  return `highwater-search-${session}`;
}

/** Null if no search runs, or if storage is not available. */
export function savedSearch(session: string): SavedSearch | null {
  try {
    const saved = JSON.parse(sessionStorage.getItem(keyOf(session)) ?? "null") as SavedSearch;
    return PRESETS.includes(saved.preset) &&
      GRAINS.includes(saved.grain ?? "all") &&
      typeof saved.question.after === "number"
      ? saved
      : null;
  } catch {
    return null;
  }
}

/** Null forgets it. Without storage, a search ends when the page is left. */
export function saveSearch(session: string, search: SavedSearch | null): void {
  try {
    if (search === null) sessionStorage.removeItem(keyOf(session));
    else sessionStorage.setItem(keyOf(session), JSON.stringify(search));
  } catch {
    // The search is not found again after a reload.
  }
}
