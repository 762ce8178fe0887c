/** Brokers that believe that they lead a partition although the controller's leader is a different one, or none. */

import type { Frame } from "./frame";

export interface StaleLeader {
  readonly broker: number;
  /** The partitions that it believes it leads. */
  readonly partitions: readonly string[];
}

export function isStaleLeader(
  { state }: Pick<Frame, "state">,
  partition: string,
  broker: number,
): boolean {
  return (
    state.replicas[partition]?.[String(broker)]?.role === "leader" &&
    state.partitions[partition]?.leader !== broker
  );
}

/** By broker, in ascending order. */
export function staleLeaders(frame: Pick<Frame, "state">): StaleLeader[] {
  const { replicas } = frame.state;
  const brokers = new Set(Object.values(replicas).flatMap((own) => Object.keys(own).map(Number)));
  return [...brokers]
    .sort((a, b) => a - b)
    .map((broker) => ({
      broker,
      partitions: Object.keys(replicas).filter((partition) =>
        isStaleLeader(frame, partition, broker),
      ),
    }))
    .filter(({ partitions }) => partitions.length > 0);
}

/**
 * The frame of a branch since which a broker has been a stale leader, without interruption up to
 * the given frame; null if it is none there.
 */
export function staleSince(
  branch: readonly Frame[],
  { frame: until }: Pick<Frame, "frame">,
  broker: number,
): number | null {
  let since: number | null = null;
  for (let at = branch.findLastIndex(({ frame }) => frame === until); at >= 0; at -= 1) {
    const frame = branch[at];
    if (frame === undefined || !staleLeaders(frame).some((one) => one.broker === broker)) break;
    since = frame.frame;
  }
  return since;
}
