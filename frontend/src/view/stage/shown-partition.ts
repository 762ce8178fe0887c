/**
 * The partition on the stage: the selected one, otherwise the one that the step is about, otherwise
 * the first.
 */

import type { Frame } from "../../trace";

export function shownPartition(frame: Frame, chosen: string | null): string {
  const partitions = Object.keys(frame.state.partitions);
  if (chosen !== null && partitions.includes(chosen)) return chosen;
  const told = frame.events.map((event) => event.numbers.partition).find((name) => typeof name === "string" && partitions.includes(name));
  return typeof told === "string" ? told : (partitions[0] ?? "");
}
