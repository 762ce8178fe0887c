/** The times below the diagram: of folded time, and where the time has changed. None covers another, nor the playhead's. */

import { textWidth } from "./text";

export interface ClockLabel {
  readonly at: number;
  readonly text: string;
}

export interface ClockLabels {
  /** By slot of folded time: whether its length has room. */
  readonly idle: readonly boolean[];
  readonly hours: readonly ClockLabel[];
}

const SIZE = 11;
/** Between two labels. */
const GAP = 8;
/** The padding of the playhead's label on each side, whose text is bold. */
const CHIP = 8;

/**
 * Of the lengths of folded time, those that do not meet the playhead's label; then the hours that
 * neither these nor the playhead shows, in order. An hour is shown once.
 */
export function layoutClock(
  playhead: ClockLabel,
  idle: readonly (ClockLabel & { readonly room: number })[],
  hours: readonly (ClockLabel & { readonly time: number })[],
): ClockLabels {
  const chip = textWidth(playhead.text, SIZE, true) / 2 + CHIP;
  const taken: [number, number][] = [[playhead.at - chip - GAP / 2, playhead.at + chip + GAP / 2]];
  const isFree = (from: number, to: number): boolean =>
    taken.every(([a, b]) => to <= a || from >= b);
  const shown = idle.map(({ at, text, room }) => {
    const half = textWidth(text, SIZE) / 2 + GAP / 2;
    const free = isFree(at - half, at + half);
    if (free) taken.push([at - Math.max(half, room / 2), at + Math.max(half, room / 2)]);
    return free;
  });
  const told: ClockLabel[] = [];
  let said = -1;
  for (const { at, text, time } of hours) {
    const half = textWidth(text, SIZE) / 2 + GAP / 2;
    if (time === said || !isFree(at - half, at + half)) continue;
    said = time;
    taken.push([at - half, at + half]);
    told.push({ at, text });
  }
  return { idle: shown, hours: told };
}
