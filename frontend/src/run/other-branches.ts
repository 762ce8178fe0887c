/**
 * The alternatives to the shown branch: other branches of the run, and the same steps under other
 * versions.
 */

import { inLanguage } from "../language";
import { listBranches, type Branch } from "../session/branches";
import type { BranchNames } from "../session/branch-names";
import type { OtherVersion } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
import { stepLabel, type Catalogue, type Lang } from "../trace";
import { say } from "languages:run";

export interface OtherBranch {
  readonly key: string;
  readonly name: string;
  /** One of the two. */
  readonly branch: Branch | null;
  readonly version: OtherVersion | null;
  /** The step after which it leaves the shown branch; null if its name is that, and for a version. */
  readonly leavesAfter: number | null;
}

export function ownFrameOf(branch: Branch): number {
  return branch.path[branch.from] ?? 0;
}

export function nameOf(
  run: Run,
  branch: Branch,
  names: BranchNames,
  catalogue: Catalogue,
  lang: Lang,
): string {
  return names[String(ownFrameOf(branch))] ?? branchName(run, branch, catalogue, lang);
}

export function othersOf(
  run: Run,
  names: BranchNames,
  catalogue: Catalogue,
  lang: Lang,
): OtherBranch[] {
  const branches = listBranches(run.frames)
    .filter((branch) => branch.tip !== run.branch?.tip)
    .map((branch) => ({
      key: `b${branch.tip}`,
      name: nameOf(run, branch, names, catalogue, lang),
      branch,
      version: null,
      leavesAfter: leavesAfter(run, branch, names),
    }));
  const versions = run.comparisons.versions.map((version) => ({
    key: `v${version.kafka}`,
    name: say(lang, "underKafka", { kafka: version.kafka }),
    branch: null,
    version,
    leavesAfter: null,
  }));
  return [...branches, ...versions];
}

function leavesAfter(run: Run, branch: Branch, names: BranchNames): number | null {
  const common = branch.path.findLast((frame, index) => run.path[index] === frame);
  // The default name of a branch starts with its fork.
  if (
    common === undefined ||
    (common === branch.partsAfter && names[String(ownFrameOf(branch))] === undefined)
  )
    return null;
  return run.stepOf(common);
}

/**
 * The default name of a branch: its first step, as the timeline calls it. While the story of the
 * branch is not loaded, the name of its first message has to do.
 */
function branchName(run: Run, branch: Branch, catalogue: Catalogue, lang: Lang): string {
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
