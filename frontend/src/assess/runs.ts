/** The runs that a verdict consists of: each is a scenario from the printed state, which opens as a run of its own. */

import { LANGUAGES } from "../language";
import { sessionAddress } from "../run/address";
import { api } from "../service/api";
import type { Cell, Failure, Kind, Searched } from "../service/assessments";
import { failureText } from "./cell-text";

export type Scenario = Readonly<Record<string, unknown>>;

/** The start of a kind with steps, and a title that names the partition as it was pasted. */
export function runOf(kind: Kind, failure: Failure, cell: Cell): Scenario | null {
  const start = kind.starts[cell.start];
  if (cell.steps === null || start === undefined) return null;
  return {
    ...start,
    title: titled(kind.partitions[0], (lang) => failureText(failure, lang)),
    steps: cell.steps,
  };
}

/** The printed state of a kind, from which one can act or search. */
export function startOf(kind: Kind): Scenario | null {
  const [start] = kind.starts;
  return start === undefined ? null : { ...start, title: titled(kind.partitions[0], () => "") };
}

/** The run of a loss that a search found. */
export function runOfSearch({ partition, start, steps, text }: Searched): Scenario | null {
  if (start === null || steps === null) return null;
  return { ...start, title: text, steps, summary: titled(partition, () => "") };
}

/** The run of the worst cell that has one; null if no cell has. */
export function threatOf(kind: Kind): Scenario | null {
  const order = ["lost", "can_lose", "unavailable", "writes_stop"];
  const cells = Object.entries(kind.cells) as [Failure, Cell][];
  for (const verdict of order)
    for (const [failure, cell] of cells)
      if (cell.verdict === verdict && cell.steps !== null) return runOf(kind, failure, cell);
  return null;
}

function titled(partition = "", about: (lang: string) => string): Scenario {
  return Object.fromEntries(
    LANGUAGES.map(({ tag, separator }) => {
      const words = about(tag);
      return [tag, words === "" ? partition : `${partition}${separator}${words}`];
    }),
  );
}

/** Creates the run of a scenario and returns the address at which it plays, or is searched. */
export async function openRun(scenario: Scenario, at: "play" | "find"): Promise<string> {
  const session = await api.createSession({ scenario });
  return `${sessionAddress(session.id, 0)}&${at}=1`;
}
