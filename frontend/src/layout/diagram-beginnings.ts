/** The places at which a window of the time axis begins, so that its edge cuts no label: the beginnings of steps and of sections. */

import { along, columnAt, type DiagramAxis } from "./diagram-axis";
import type { DiagramModel } from "./diagram-model";

/** In a long step, the window begins so long before the playhead, at least. */
const LEAST_BEFORE = 60;
/** Of the step that follows, so much is shown. */
const NEXT_STEP = 48;

/** The first beginning of a step from here on; if the last step has begun, of a section. */
export function nextBeginning(model: DiagramModel, axis: DiagramAxis, from: number): number {
  const start = axis.edges.find((edge) => edge >= from);
  return start === undefined || start === axis.length ? sectionFrom(model, axis, from) : start;
}

/** The beginning of a window with room for a step and for a part of the next. */
export function beginningFor(
  model: DiagramModel,
  axis: DiagramAxis,
  [start, end]: readonly [number, number],
  room: number,
): number {
  return nextBeginning(model, axis, Math.min(start, end + NEXT_STEP - room));
}

/** The beginning of a window in a step that is too long for it, with the playhead at `at`. */
export function beginningWithin(
  model: DiagramModel,
  axis: DiagramAxis,
  at: number,
  room: number,
): number {
  const from = at - room * 0.7;
  const here = model.sectionOf[columnAt(axis, from)] ?? 0;
  const fits = (start: number): boolean => start < at - LEAST_BEFORE && at - start < room * 0.9;
  return (
    [sectionAt(model, axis, here + 1), sectionAt(model, axis, here)].find(
      (start) => start !== null && fits(start),
    ) ?? from
  );
}

function sectionFrom(model: DiagramModel, axis: DiagramAxis, from: number): number {
  return sectionAt(model, axis, (model.sectionOf[columnAt(axis, from)] ?? 0) + 1) ?? from;
}

function sectionAt(model: DiagramModel, axis: DiagramAxis, number: number): number | null {
  const section = model.sections[number];
  if (section === undefined) return null;
  return model.bands[section.band]?.first === section.first
    ? (axis.edges[section.band] ?? null)
    : along(axis, section.first, -0.5);
}
