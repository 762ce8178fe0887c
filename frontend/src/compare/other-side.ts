/**
 * The other side of a comparison: the same steps under a different version, a different scenario,
 * or another branch.
 */

import { inLanguage } from "../language";
import type { Branch } from "../session/branches";
import type { OtherScenario, OtherSettings, OtherVersion } from "../session/comparison-runs.svelte";
import type { Run } from "../session/run.svelte";
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
  readonly question: (tip: number) => unknown;
}

export function versionSide(other: OtherVersion): OtherSide {
  return {
    kind: "version",
    key: `version ${other.kafka}`,
    name: `Kafka ${other.kafka}`,
    frames: other.frames,
    stepOf: (number) => other.frames[number]?.step ?? 0,
    summaryOf: (step) => other.story[step]?.summary ?? null,
    question: (tip) => ({ at: tip, kafka: other.kafka }),
  };
}

export function scenarioSide(other: OtherScenario, lang: Lang): OtherSide {
  return {
    kind: "scenario",
    key: `scenario ${other.id}`,
    name: inLanguage(other.title, lang),
    frames: other.frames,
    stepOf: (number) => other.frames[number]?.step ?? 0,
    summaryOf: (step) => other.story[step]?.summary ?? null,
    question: (tip) => ({ at: tip, scenario_id: other.id }),
  };
}

export function settingsSide(other: OtherSettings, name: string): OtherSide {
  return {
    kind: "settings",
    key: `settings ${other.session}`,
    name,
    frames: other.frames,
    stepOf: (number) => other.frames[number]?.step ?? 0,
    summaryOf: (step) => other.story[step]?.summary ?? null,
    question: (tip) => ({ at: tip, ...other.asked }),
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
