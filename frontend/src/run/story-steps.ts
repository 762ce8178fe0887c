/** Which step of the story a frame belongs to, and what that step is called. */

import { inLanguage } from "../language";
import { stepLabel, type Catalogue, type Frame, type Lang } from "../trace";

import type { StoryStep } from "../service/api";

export function stepOf(frame: Frame): number {
  return frame.step;
}

/** The story's title of a frame's step; what was done, where the story has not come yet. */
export function stepTitle(frame: Frame, story: readonly StoryStep[], catalogue: Catalogue, lang: Lang): string {
  const told = story.find(({ step }) => step === frame.step);
  if (told !== undefined) return inLanguage(told.title, lang);
  return frame.action === null ? "" : stepLabel(catalogue, frame.action as Parameters<typeof stepLabel>[1], lang);
}
