/** For tests: the document of a small cluster, with the cells that a test names. */

import type { AssessmentPage, Cell, Failure, Kind } from "../service/assessments";

const words = (en: string) => ({ en, zh: en });

export function cell(verdict: Cell["verdict"], more: Partial<Cell> = {}): Cell {
  return {
    verdict,
    undecided: false,
    applies: true,
    brokers: [],
    outcome: words(verdict ?? ""),
    reason: words("writes go on"),
    why: words("Two in-sync replicas remain."),
    rule: "ELECTION-CLEAN",
    sources: ["KIP-966"],
    start: 0,
    steps: [{ crash: { broker: 1 } }],
    ...more,
  };
}

export function kind(
  partitions: readonly string[],
  cells: Partial<Record<Failure, Cell>> = {},
  more: Partial<Kind> = {},
): Kind {
  return {
    id: partitions[0] ?? "",
    partitions,
    leader: 1,
    is_preferred: true,
    isr: [1, 2, 3],
    elr: [],
    last_known_elr: [],
    replicas: [1, 2, 3],
    min_insync_replicas: 2,
    down: [],
    unknown: [],
    notes: [],
    starts: [{ scenario: 1, kafka: "4.1", steps: [] }],
    cells: {
      crash: cell("keeps"),
      power_loss: cell("keeps"),
      disk_loss: cell("keeps"),
      isolated_leader: cell("keeps"),
      unclean_election: cell("keeps"),
      ...cells,
    },
    ...more,
  };
}

/** One broker’s power loss can lose a record of payments-3. */
export const PAYMENTS = kind(
  ["payments-3"],
  {
    power_loss: cell("can_lose", { reason: words("if 1’s host does"), brokers: [1] }),
    isolated_leader: cell(null, { applies: false, reason: words("no leader"), steps: null }),
  },
  {
    leader: -1,
    isr: [],
    elr: [1],
    notes: [
      { code: "no_leader", severity: "bad", text: words("no leader") },
      { code: "last_known", severity: "bad", text: words("1 is down; 3 led last") },
    ],
  },
);

export function page(kinds: readonly Kind[], more: Partial<AssessmentPage> = {}): AssessmentPage {
  return {
    kafka: {
      taken: "4.1",
      control: "kraft",
      oldest: "4.0",
      newest: "4.4",
      why: words("Its Elr column."),
    },
    elr: true,
    brokers: 3,
    topics: 1,
    partitions: kinds.reduce((sum, { partitions }) => sum + partitions.length, 0),
    settings: [
      {
        name: "acks",
        values: ["all"],
        pasted: ["all"],
        is_stated: false,
        choices: ["all", "1", "0"],
        is_read: true,
        why: words("Assumed."),
      },
    ],
    racks: [{ broker: 1, rack: null, pasted: null }],
    kinds,
    headline: [{ text: words("payments-3 can lose acknowledged records."), severity: "bad" }],
    counts: { lost: 0, can_lose: 1, unavailable: 0, writes_stop: 0, keeps: 1, pending: 0 },
    first: null,
    known_losses: [],
    searches: [],
    refused: [],
    not_known: [],
    not_used: [],
    differences: [],
    cells_done: 10,
    cells_total: 10,
    is_complete: true,
    ...more,
  };
}
