/** Which step of the story a frame belongs to, and what that step is called. */

import { stepLabel, type Catalogue, type Frame, type Lang } from "../trace";

import type { ScenarioDocument } from "../service/api";

/** What an author wrote is one step, however many frames it made; what a person did is one frame after another. */
export function stepOf(frame: Frame): number | string {
  return frame.item ?? `frame ${String(frame.frame)}`;
}

export function stepTitle(frame: Frame, scenario: ScenarioDocument, catalogue: Catalogue, lang: Lang): string {
  const step = frame.item === null ? frame.action : scenario.steps[frame.item];
  return step === null || step === undefined ? "" : stepLabel(catalogue, step as Parameters<typeof stepLabel>[1], lang);
}
