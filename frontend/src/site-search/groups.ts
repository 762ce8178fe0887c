/** What was found, as the list shows it: the best hits by kind, and how many more there are. */

import type { FoundEntry, FoundKind, SiteSearchResult } from "../service/api";

export interface Group {
  readonly kind: FoundKind;
  /** Of everything that was found. */
  readonly count: number;
  /** The best ones; none if all of them are behind the best of other kinds. */
  readonly hits: readonly FoundEntry[];
}

const MOST_SHOWN = 10;
const MOST_OF_A_KIND = 4;

/** The groups in the order of their best hits. */
export function groupsOf({ kinds, hits }: Pick<SiteSearchResult, "kinds" | "hits">): Group[] {
  const shown = new Map<FoundKind, FoundEntry[]>();
  let count = 0;
  for (const hit of hits) {
    const group = shown.get(hit.kind) ?? [];
    if (count === MOST_SHOWN || group.length === MOST_OF_A_KIND) continue;
    shown.set(hit.kind, [...group, hit]);
    count += 1;
  }
  return [
    ...[...shown].map(([kind, best]) => ({ kind, hits: best })),
    ...kinds.filter(({ kind }) => !shown.has(kind)).map(({ kind }) => ({ kind, hits: [] })),
  ].map((group) => ({ ...group, count: kinds.find((one) => one.kind === group.kind)?.count ?? 0 }));
}

/** What the arrows move through: a hit, or all of a kind. */
export type Option =
  | { readonly hit: FoundEntry; readonly all: null }
  | { readonly hit: null; readonly all: FoundKind };

/** The options of the groups, in the order in which they are shown. */
export function optionsOf(groups: readonly Group[]): Option[] {
  return groups.flatMap(({ kind, count, hits }): Option[] => [
    ...hits.map((hit): Option => ({ hit, all: null })),
    ...(count > hits.length ? [{ hit: null, all: kind }] : []),
  ]);
}
