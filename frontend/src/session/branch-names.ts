/** The user's names of branches, stored in this browser by the first own frame of the branch. */

export type BranchNames = Readonly<Record<string, string>>;

const MOST_CHARACTERS = 60;

function keyOf(session: string): string {
  return `highwater-branches-${session}`;
}

export function readBranchNames(session: string): BranchNames {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(session)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    );
  } catch {
    return {};
  }
}

/** The names with one added, or removed if it is empty. */
export function withBranchName(
  session: string,
  names: BranchNames,
  frame: number,
  name: string,
): BranchNames {
  const given = name.trim().slice(0, MOST_CHARACTERS);
  const kept = Object.fromEntries(
    Object.entries({ ...names, [String(frame)]: given }).filter(([, value]) => value !== ""),
  );
  try {
    localStorage.setItem(keyOf(session), JSON.stringify(kept));
  } catch {
    // Without storage the name lasts until the page is left.
  }
  return kept;
}
