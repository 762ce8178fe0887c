/** The default name of a branch: its first step, as the timeline calls it. */

import { inLanguage } from "../language";
import type { Branch } from "../session/branches";
import type { Run } from "../session/run.svelte";
import { stepLabel, type Catalogue, type Lang } from "../trace";
import { say } from "languages:run";

/** While the story of the branch is not loaded, the name of its first message has to do. */
export function branchName(run: Run, branch: Branch, catalogue: Catalogue, lang: Lang): string {
  if (branch.partsAfter === null) return say(lang, "mainBranch");
  const first = branch.path[branch.from] ?? 0;
  const title = run.stories.titleAt(branch.tip, first);
  const action = run.frames[first]?.action ?? null;
  const what =
    title !== null
      ? inLanguage(title, lang)
      : action === null
        ? ""
        : stepLabel(catalogue, action, lang);
  return say(lang, "branch", { step: run.stepOf(branch.partsAfter), what });
}
