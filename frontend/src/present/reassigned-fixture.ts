/** A frame after a reassignment, and its rows as drawn. */

import { vi } from "vitest";

import type { Frame } from "../trace";

export function reassigned(frame: Frame, replicas: readonly number[]): Frame {
  const partitions = Object.entries(frame.state.partitions).map(([name, partition]) => [
    name,
    { ...partition, replicas },
  ]);
  return {
    ...frame,
    state: {
      ...frame.state,
      partitions: Object.fromEntries(partitions) as Frame["state"]["partitions"],
    },
  };
}

/** The test's document lays nothing out, and without a width nothing is drawn. */
export function withRoom(): void {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
}

export function rowNames(): (string | null)[] {
  return [...document.querySelectorAll(".hw-name")].map((name) => name.textContent);
}
