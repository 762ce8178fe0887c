/** The partitions on the stage, and the one that is active: its actions are offered first. */

import { DEFAULT_LANGUAGE } from "../../language";
import type { Frame } from "../../trace";

/** The partitions of a frame, in the order of their numbers. */
export function partitionNames(frame: Frame): string[] {
  return Object.keys(frame.state.partitions).sort((a, b) =>
    a.localeCompare(b, DEFAULT_LANGUAGE, { numeric: true }),
  );
}

/** The partition that a step is about; null if it is about none in particular. */
export function subjectPartition(frame: Frame): string | null {
  const told = frame.events
    .map((event) => event.numbers.partition)
    .find((name) => typeof name === "string" && frame.state.partitions[name] !== undefined);
  return typeof told === "string" ? told : null;
}

/** The active partition: the selected one, otherwise the one that the step is about, otherwise the first. */
export function shownPartition(frame: Frame, chosen: string | null): string {
  if (chosen !== null && frame.state.partitions[chosen] !== undefined) return chosen;
  return subjectPartition(frame) ?? Object.keys(frame.state.partitions)[0] ?? "";
}
