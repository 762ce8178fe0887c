/** The default name of a branch: its first action. */

import type { Branch } from "../session/branches";
import type { Run } from "../session/run.svelte";
import { stepLabel, type Catalogue, type Lang, type Numbers } from "../trace";
import { say } from "./run-texts";

export function branchName(run: Run, branch: Branch, catalogue: Catalogue, lang: Lang): string {
  if (branch.partsAfter === null) return say(lang, "mainBranch");
  const action = run.frames[branch.path[branch.from] ?? 0]?.action ?? null;
  const what = action === null ? "" : stepLabel(catalogue, action as Readonly<Record<string, Numbers>>, lang);
  return say(lang, "branch", { step: run.stepOf(branch.partsAfter), what });
}
