/**
 * The lanes of the diagram, from the clients over the brokers to the controller, and their
 * positions.
 */

import type { Place } from "./diagram-facts";
import type { DiagramModel } from "./diagram-model";
import { brokersOf } from "./stage";

/** Up to this number, all lanes are shown, even without activity. */
const ALWAYS_KEPT = 6;
/** The minimum and maximum height of a lane. */
export const LEAST_LANE = 27;
export const MOST_LANE = 54;
/** In a step that is taller than planned, lanes become as low as this before one has to scroll to the clock. */
export const SHORT_LANE = 24;
/** By so much the tallest stage, with low rows, may exceed what the diagram leaves it: one scrolls to the rest. */
export const MOST_SHORTFALL = 64;
/**
 * By so many distances between lanes the controller is from the nearest one. If it were one, its
 * messages to several brokers would lie on each other wherever they arrive at equal intervals.
 */
const CONTROLLER_APART = 1.5;
/** The heights of the diagram's header, all that is left of it while it is closed, of the step names and of the clock. */
export const HEADER = 40;
export const STEP_NAMES = 26;
export const CLOCK = 24;

/** The lanes for these sections: all if they are few, otherwise those with activity. */
export function lanesOf(model: DiagramModel, firstSection: number, lastSection: number): Place[] {
  const all = allLanes(model);
  if (all.length <= ALWAYS_KEPT) return all;
  const speaking = speakingIn(model, firstSection, lastSection);
  const kept = all.filter((place) => speaking.has(place));
  return kept.length > 1 ? kept : all.slice(0, ALWAYS_KEPT);
}

/** The largest number of lanes that any section of the run needs. */
export function mostLanes(model: DiagramModel): number {
  const all = allLanes(model).length;
  if (all <= ALWAYS_KEPT) return all;
  const known = counted.get(model) ?? { sections: 0, most: 0 };
  let { most } = known;
  for (let section = known.sections; section < model.sections.length; section += 1)
    most = Math.max(most, lanesOf(model, section, section).length);
  // The last section may still grow.
  counted.set(model, { sections: Math.max(0, model.sections.length - 1), most });
  return most;
}

/** Of each model, which is extended in place: the sections already counted. */
const counted = new WeakMap<DiagramModel, { readonly sections: number; readonly most: number }>();

function allLanes(model: DiagramModel): Place[] {
  const [first] = model.frames;
  const last = model.frames[model.frames.length - 1];
  if (first === undefined || last === undefined) return [];
  const partition = Object.keys(first.state.partitions)[0] ?? "";
  const brokers = brokersOf(first, partition);
  const others = Object.keys(last.state.brokers)
    .map(Number)
    .filter((broker) => !brokers.includes(broker) && model.places.has(broker));
  const clients = (["producers", "consumers"] as const).filter((place) => model.places.has(place));
  return [...clients, ...brokers, ...others, "controller"];
}

function speakingIn(model: DiagramModel, firstSection: number, lastSection: number): Set<Place> {
  const speaking = new Set<Place>();
  for (const section of model.sections.slice(firstSection, lastSection + 1)) {
    for (const { from, to, fate } of section.arrows)
      if (fate !== "unseen") speaking.add(from).add(to);
    for (let column = section.first; column <= section.last; column += 1) {
      const frame = model.frames[column];
      if (frame === undefined) continue;
      const { dots, jumps } = model.factsOf(frame);
      for (const { place } of dots) speaking.add(place);
      for (const { from, to } of jumps) speaking.add(from).add(to);
    }
  }
  return speaking;
}

/**
 * The height of a lane if this much room is available for all of them; null if they would be
 * unreadable.
 */
export function laneHeight(room: number, lanes: number, most = MOST_LANE): number | null {
  const height = Math.floor((room - STEP_NAMES - CLOCK) / Math.max(lanes, 1));
  return height < SHORT_LANE ? null : Math.min(height, most);
}

/** The middle of each lane, and the distance between neighbours, if all lanes together have `size` from `start` on. */
export function placeLanes(
  places: readonly Place[],
  start: number,
  size: number,
): { readonly middles: number[]; readonly pitch: number } {
  const extra = places.length > 2 && places.includes("controller") ? CONTROLLER_APART - 1 : 0;
  const pitch = size / (places.length + extra);
  return {
    middles: places.map(
      (place, lane) => start + (lane + 0.5 + (place === "controller" ? extra : 0)) * pitch,
    ),
    pitch,
  };
}
