/** The item on the stage that corresponds to an arrow or a dot of the diagram. */

import type { ShownItem } from "../../layout/diagram-window";
import type { Frame } from "../../trace";
import type { Selection } from "../stage";

/**
 * Its records, otherwise the message in flight, otherwise its broker; null if the stage has none of
 * them.
 */
export function selectionOf(item: ShownItem, frame: Frame): Selection | null {
  const brokers = item.places.filter((place) => typeof place === "number");
  if ("event" in item.of) {
    const { subject, numbers } = item.of.event;
    const partition =
      subject.partition ?? (typeof numbers.partition === "string" ? numbers.partition : null);
    const offsets = subject.offsets ?? (typeof numbers.offset === "number" ? [numbers.offset] : []);
    if (partition !== null && offsets.length > 0)
      return {
        kind: "offsets",
        partition,
        replicas: subject.replicas ?? brokers,
        offsets,
        ids: null,
      };
  } else {
    const { id, partition, offsets } = item.of;
    if (partition !== null && offsets.length > 0)
      return { kind: "offsets", partition, replicas: brokers, offsets, ids: null };
    if (frame.state.in_flight.some((message) => message.id === id)) return { kind: "message", id };
  }
  const broker = brokers[brokers.length - 1];
  return broker === undefined ? null : { kind: "broker", broker };
}
