/**
 * The alternatives to the shown branch: other branches of the run, and the same steps under other
 * versions.
 */

import { listBranches, type Branch } from "../session/branches";
import type { BranchNames } from "../session/branch-names";
import type { OtherVersion } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
import type { Catalogue, Lang } from "../trace";
import { branchName } from "./branch-name";
import { say } from "./run-texts";

export interface OtherBranch {
  readonly key: string;
  readonly name: string;
  /** One of the two. */
  readonly branch: Branch | null;
  readonly version: OtherVersion | null;
}

export function ownFrameOf(branch: Branch): number {
  return branch.path[branch.from] ?? 0;
}

export function nameOf(run: Run, branch: Branch, names: BranchNames, catalogue: Catalogue, lang: Lang): string {
  return names[String(ownFrameOf(branch))] ?? branchName(run, branch, catalogue, lang);
}

export function othersOf(run: Run, names: BranchNames, catalogue: Catalogue, lang: Lang): OtherBranch[] {
  const branches = listBranches(run.frames)
    .filter((branch) => branch.tip !== run.branch?.tip)
    .map((branch) => ({ key: `b${String(branch.tip)}`, name: nameOf(run, branch, names, catalogue, lang), branch, version: null }));
  const versions = run.comparisons.versions.map((version) => ({ key: `v${version.session}`, name: say(lang, "underKafka", { kafka: version.kafka }), branch: null, version }));
  return [...branches, ...versions];
}
