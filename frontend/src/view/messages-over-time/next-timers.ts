/** The next timers; those of several brokers that fire together are merged. */

import type { State, Step } from "../../trace";

type Timer = State["timers"][number];

export interface NextTimer {
  readonly kind: Timer["kind"];
  /** Null for several brokers, and for the controller. */
  readonly broker: number | null;
  readonly inMs: number;
  /** Advances time to the timer, or fires it if it is already due. */
  readonly step: Step;
}

const MOST_CHIPS = 3;

export function nextTimers({
  time_ms: now,
  timers,
}: Pick<State, "time_ms" | "timers">): NextTimer[] {
  const byTime = new Map<string, Timer[]>();
  for (const timer of [...timers].sort((a, b) => a.due_ms - b.due_ms)) {
    const key = `${timer.due_ms} ${timer.kind}`;
    byTime.set(key, [...(byTime.get(key) ?? []), timer]);
  }
  return [...byTime.values()].slice(0, MOST_CHIPS).flatMap((together) => {
    const [timer] = together;
    if (timer === undefined) return [];
    const inMs = Math.max(0, timer.due_ms - now);
    const { kind, broker, partition, follower } = timer;
    const fired = {
      kind,
      ...(broker === undefined ? {} : { broker }),
      ...(partition === undefined ? {} : { partition }),
      ...(follower === undefined ? {} : { follower }),
    };
    return [
      {
        kind,
        broker: together.length > 1 ? null : (broker ?? null),
        inMs,
        step: inMs > 0 ? { advance: { ms: inMs } } : { timer: fired },
      },
    ];
  });
}
