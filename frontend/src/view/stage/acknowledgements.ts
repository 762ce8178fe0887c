/** The acknowledgements on their way from the leaders' records back to the producers. */

import type { Frame, Produced } from "../../trace";

export interface Acknowledgement {
  /** Shown again, it is a new one. */
  readonly id: number;
  /** The index of the request in sending order. */
  readonly request: number;
  readonly partition: string;
  /** The leader that sends it. */
  readonly broker: number;
  readonly offset: number;
}

interface Drawn {
  readonly frame: number;
  readonly step: number;
  readonly shown: readonly Acknowledgement[];
}

/**
 * Returns the acknowledgements of each frame that is drawn, according to its events; none if there
 * is no previous frame.
 *
 * Those of earlier messages of the same step stay, because messages pass faster than they travel.
 * The step as a whole does not repeat what its messages have shown.
 */
export function acknowledgementsShown(): (
  frame: Frame,
  previous: Frame | null,
) => readonly Acknowledgement[] {
  let drawn: Drawn | null = null;
  let count = 0;
  return (frame, previous) => {
    if (previous === null) {
      drawn = null;
      return [];
    }
    const before =
      drawn !== null && drawn.step === frame.step && drawn.frame <= frame.frame ? drawn : null;
    const since = before?.frame ?? previous.frame;
    const fresh = frame.state.clients.produced.flatMap((record, request): Acknowledgement[] => {
      const { partition, broker, offset } = record;
      return offset === null || !isAcknowledged(frame, record, since)
        ? []
        : [{ id: (count += 1), request, partition, broker, offset }];
    });
    drawn = { frame: frame.frame, step: frame.step, shown: [...(before?.shown ?? []), ...fresh] };
    return drawn.shown;
  };
}

/** Whether an event of the frame acknowledges this request, and not already in an earlier frame. */
function isAcknowledged({ events }: Frame, record: Produced, since: number): boolean {
  if (record.acked_frame === null || record.acked_frame <= since) return false;
  return events.some(
    ({ kind, numbers }) =>
      kind === "ProduceAcknowledged" &&
      numbers.producer === record.as &&
      numbers.value === record.value &&
      numbers.partition === record.partition &&
      numbers.offset === record.offset,
  );
}
