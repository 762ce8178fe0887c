/**
 * The other side of a comparison: the same steps under a different version, a different scenario,
 * or another branch.
 */

import { inLanguage } from "../language";
import type { Branch } from "../session/branches";
import type { OtherScenario, OtherSettings, OtherVersion } from "../session/comparison-runs.svelte";
import type { Question, Run } from "../session/run.svelte";
import type { Frame, Lang, Translated } from "../trace";

/** What distinguishes the two sides. */
export type SideKind = "version" | "scenario" | "settings" | "branch";

export interface OtherSide {
  readonly kind: SideKind;
  /** A key that identifies a side. */
  readonly key: string;
  readonly name: string;
  readonly frames: readonly Frame[];
  /** The step of the story that a frame belongs to. */
  readonly stepOf: (frame: number) => number;
  /** What happens in a step of the story; null if its story is not loaded. */
  readonly summaryOf: (step: number) => Translated | null;
  /** The request to the service, for the branch on the page that ends at a frame. */
  readonly question: (tip: number) => Question;
}

export function versionSide(other: OtherVersion): OtherSide {
  const { kafka } = other;
  return runSide("version", kafka, `Kafka ${kafka}`, other, { kafka });
}

export function scenarioSide(other: OtherScenario, lang: Lang): OtherSide {
  const { id, title } = other;
  return runSide("scenario", id, inLanguage(title, lang), other, { scenario_id: id });
}

export function settingsSide(other: OtherSettings, name: string): OtherSide {
  return runSide("settings", other.session, name, other, other.asked);
}

/** Another run; `asked` is what tells the service which one. */
function runSide(
  kind: SideKind,
  id: string,
  name: string,
  { frames, story }: Pick<OtherVersion, "frames" | "story">,
  asked: object,
): OtherSide {
  return {
    kind,
    key: `${kind} ${id}`,
    name,
    frames,
    stepOf: (number) => frames[number]?.step ?? 0,
    summaryOf: (step) => story[step]?.summary ?? null,
    question: (tip) => ({ at: tip, ...asked }),
  };
}

export function branchSide(run: Run, branch: Branch, name: string): OtherSide {
  return {
    kind: "branch",
    key: `branch ${String(branch.tip)}`,
    name,
    frames: branch.path.map((number) => run.frames[number]).filter((frame) => frame !== undefined),
    stepOf: run.stepOf,
    summaryOf: (step) => run.stories.of(branch.tip)[step]?.summary ?? null,
    question: (tip) => ({ branches: [tip, branch.tip] }),
  };
}
