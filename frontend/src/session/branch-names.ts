/** Names that a person gives to branches: kept in this browser, by the first frame of the branch's own. */

export type BranchNames = Readonly<Record<string, string>>;

const MOST_CHARACTERS = 60;

function keyOf(session: string): string {
  return `highwater-branches-${session}`;
}

export function readBranchNames(session: string): BranchNames {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(session)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}

/** The names with one more, or one less where it is empty. */
export function withBranchName(session: string, names: BranchNames, frame: number, name: string): BranchNames {
  const given = name.trim().slice(0, MOST_CHARACTERS);
  const kept = Object.fromEntries(Object.entries({ ...names, [String(frame)]: given }).filter(([, value]) => value !== ""));
  try {
    localStorage.setItem(keyOf(session), JSON.stringify(kept));
  } catch {
    // Without storage the name lasts until the page is left.
  }
  return kept;
}
