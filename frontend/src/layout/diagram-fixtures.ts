/** Runs for the tests of the diagram, from their moves and events. */

import type { Frame, Message, TraceEvent } from "../trace";
import { catalogue, frameAt, loss, message } from "../trace/fixtures";
import { ALONG, DOWN, layoutDiagramAxis } from "./diagram-axis";
import { DiagramReader, type Label, type Place } from "./diagram-facts";
import { lanesOf, placeLanes } from "./diagram-lanes";
import { DiagramModel } from "./diagram-model";
import { layoutWindow, type ShownArrow, type ShownItem } from "./diagram-window";

type Move = Frame["moves"][number];

export const reader = new DiagramReader(catalogue.drawings ?? {});
export const base = frameAt(loss, 0);

export function event(
  kind: TraceEvent["kind"],
  numbers: TraceEvent["numbers"],
  variant?: string,
): TraceEvent {
  return {
    kind,
    ...(variant === undefined ? {} : { variant }),
    numbers,
    rule: null,
    sources: [],
    subject: {},
  };
}

export function sent(
  id: number,
  from: Message["from"],
  to: Message["to"],
  numbers: Message["numbers"] = {},
): Move {
  return {
    id,
    fate: "sent",
    time_ms: 0,
    message: { kind: "fetch_request", from, to, partition: "t-0", numbers, offsets: [0] },
  };
}

export function ended(id: number, fate: Exclude<Move["fate"], "sent"> = "arrived"): Move {
  return { id, fate, time_ms: 0 };
}

interface Given {
  readonly moves?: readonly Move[];
  readonly events?: readonly TraceEvent[];
  readonly inFlight?: readonly Partial<Message>[];
  readonly timeMs?: number;
  readonly step?: number;
  readonly broker2?: "running" | "crashed" | "paused";
}

export function run(...given: readonly Given[]): Frame[] {
  return given.map(
    ({ moves = [], events = [], inFlight = [], timeMs = 0, step, broker2 = "running" }, frame) => {
      const brokers = Object.fromEntries(
        Object.entries(base.state.brokers).map(([id, broker]) => [
          id,
          { ...broker, state: id === "2" ? broker2 : ("running" as const) },
        ]),
      );
      const state = {
        ...base.state,
        time_ms: timeMs,
        brokers,
        in_flight: inFlight.map(message),
      };
      return { ...base, frame, step: step ?? frame, moves, events, state };
    },
  );
}

export function modelOf(frames: readonly Frame[]): DiagramModel {
  return new DiagramModel((frame) => frame.step, reader).followed(frames);
}

export function itemsOf(
  frames: readonly Frame[],
  vertical = false,
  carried = ({ id }: { readonly id: number }) => `message ${id}`,
  labelOf = ({ name }: Label): string => name,
): readonly ShownItem[] {
  const model = modelOf(frames);
  const places = lanesOf(model, 0, model.sections.length - 1);
  const { middles: lanes } = placeLanes(places, 20, 40 * places.length);
  return layoutWindow({
    model,
    axis: layoutDiagramAxis(model, vertical ? DOWN : ALONG),
    vertical,
    laneAt: (place: Place) => lanes[places.indexOf(place)] ?? null,
    lanes,
    across: [0, 400],
    firstSection: 0,
    lastSection: model.sections.length - 1,
    partition: null,
    labelOf,
    carried,
    several,
    known: new Map(),
  }).items;
}

const several = (text: string, count: number) => (count === 1 ? text : `${text} ×${count}`);
export const arrows = (items: readonly ShownItem[]): ShownArrow[] =>
  items.filter((item) => item.shape === "arrow");
