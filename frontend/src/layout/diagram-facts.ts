/**
 * The parts of a frame in the diagram of messages over time other than its messages, derived only
 * from its events.
 */

import {
  drawingsOf,
  type Drawing,
  type Drawings,
  type Endpoint,
  type Frame,
  type Numbers,
  type TraceEvent,
} from "../trace";

/** A lane of the diagram: a broker's id, the controller, all producers, or all consumers. */
export type Place = Endpoint | "producers" | "consumers";
export type Tone = "plain" | "accent" | "good" | "warn" | "bad";

/** A short label: the name of a message, and its values. */
export interface Label {
  readonly name: string;
  readonly numbers: Readonly<Record<string, unknown>>;
}

/** An event at one place. */
export interface Dot {
  readonly place: Place;
  readonly tone: Tone;
  readonly label: Label;
  readonly event: TraceEvent;
  /** Its virtual time, if time has passed since then in the same frame; otherwise null. */
  readonly timeMs: number | null;
  /** Whether it follows a message within the frame, so that it is drawn after its arrival. */
  readonly late: boolean;
}

/**
 * A message within one frame: a client's request, which precedes its effects, or a response, which
 * follows them.
 */
export interface Jump {
  readonly from: Place;
  readonly to: Place;
  readonly tone: Tone;
  readonly label: Label;
  readonly before: boolean;
  readonly lost: boolean;
  readonly event: TraceEvent;
}

export interface FrameFacts {
  readonly dots: readonly Dot[];
  readonly jumps: readonly Jump[];
}

/** From this number on, a label shows the number of records instead of their names. */
const MOST_VALUES = 2;

/** Computes the facts of frames, each once, from what the engine says about the drawing of events. */
export class DiagramReader {
  readonly #drawings: Drawings;
  readonly #known = new WeakMap<Frame, FrameFacts>();

  constructor(drawings: Drawings) {
    this.#drawings = drawings;
  }

  /** The dots and jumps of a frame. */
  factsOf(frame: Frame): FrameFacts {
    const before = this.#known.get(frame);
    if (before !== undefined) return before;
    const dots: Dot[] = [];
    const jumps: Jump[] = [];
    // What a leader does after it has written an ISR, such as advancing its high watermark.
    const after = new Set<string>();
    for (const event of frame.events) {
      for (const drawing of drawingsOf(this.#drawings, event)) {
        for (const fact of read(drawing, event, frame)) {
          if ("place" in fact)
            dots.push(after.has(placeIn(fact.place, event)) ? { ...fact, late: true } : fact);
          else {
            jumps.push(fact);
            if (drawing.form === "isr") after.add(placeIn(fact.from, event));
          }
        }
      }
    }
    const facts = { dots, jumps };
    this.#known.set(frame, facts);
    return facts;
  }
}

function read(drawing: Drawing, event: TraceEvent, frame: Frame): readonly (Dot | Jump)[] {
  const { numbers } = event;
  if (drawing.needs !== undefined && typeof numbers[drawing.needs] !== "number") return [];
  if (drawing.if_moved === true && numbers.before === numbers.after) return [];
  if (frame.events.some(({ kind }) => kind === drawing.unless)) return [];
  if (drawing.form === "isr") return isrChange(drawing, event, frame);
  if (drawing.form === "link") return link(drawing, event, frame);
  const at = laneOf(drawing.at ?? "broker", event, frame);
  if (drawing.to === undefined) return dot(at, drawing, event);
  const to = laneOf(drawing.to, event, frame);
  // A client learns without a broker that there is none to respond.
  if (at === null && drawing.before !== true) return dot(to, drawing, event);
  return at === null || to === null ? [] : [jump(at, to, drawing, event)];
}

function laneOf(
  lane: NonNullable<Drawing["at"]>,
  { numbers }: TraceEvent,
  frame: Frame,
): Place | null {
  if (lane === "broker") return asId(numbers.broker);
  if (lane !== "client") return lane;
  return String(numbers.client) in frame.state.clients.consumers ? "consumers" : "producers";
}

function asId(value: Numbers[string] | undefined): number | null {
  return typeof value === "number" && value >= 0 ? value : null;
}

function dot(place: Place | null, drawing: Drawing, event: TraceEvent): Dot[] {
  if (place === null) return [];
  // Checks that changed nothing are events of the next frame, with their own time.
  const checked = event.numbers.checked_ms;
  const timeMs = typeof checked === "number" ? checked : null;
  return [{ place, ...drawnAs(drawing, event), timeMs, late: false }];
}

function jump(from: Place, to: Place, drawing: Drawing, event: TraceEvent): Jump {
  const { before = false, lost = false } = drawing;
  return { from, to, ...drawnAs(drawing, event), before, lost };
}

function drawnAs(drawing: Drawing, event: TraceEvent): Pick<Dot, "tone" | "label" | "event"> {
  return { tone: drawing.tone ?? "plain", label: labelOf(drawing, event), event };
}

function labelOf({ label, values = {} }: Drawing, { numbers, variant }: TraceEvent): Label {
  const named = Object.fromEntries(
    Object.entries(values).map(([value, number]) => [
      value,
      number === "variant" ? (variant ?? null) : (numbers[number] ?? null),
    ]),
  );
  const all = { what: null, ...numbers, ...named };
  return { name: label, numbers: { ...all, ...records(all), ...offsets(named) } };
}

/** The records of a label: a few by name, many by their number. */
function records({ values }: Label["numbers"]): Label["numbers"] {
  if (values === undefined) return {};
  const list: readonly unknown[] = Array.isArray(values) ? values : [values];
  return { values: list.length > MOST_VALUES ? null : list, count: list.length };
}

/** The offsets of a label; those of a file are "partition: offset". */
function offsets({ offsets: given }: Label["numbers"]): Label["numbers"] {
  if (!Array.isArray(given)) return {};
  const list = given.map((entry) => String(entry).replace(/^.*: /, ""));
  return { offsets: list.length > MOST_VALUES ? null : list };
}

/**
 * An ISR was written: by the controller at the request of a leader, by the controller itself, or by
 * the leader in ZooKeeper, which follows the fetch or the check that caused it.
 */
function isrChange(drawing: Drawing, event: TraceEvent, frame: Frame): readonly (Dot | Jump)[] {
  const leader = asId(event.numbers.broker);
  const asked = frame.events.some(
    ({ kind }) => kind === "LeaderElected" || kind === "SessionExpired" || kind === "BrokerFenced",
  );
  const byMessage =
    frame.moves.some(({ fate }) => fate === "arrived") &&
    actionKind(frame) === "alter_partition_request";
  const written = dot("controller", drawing, event);
  if (asked || byMessage || event.variant === "controller" || leader === null) return written;
  return [
    ...written.map((one) => ({ ...one, late: true })),
    jump(leader, "controller", drawing, event),
  ];
}

function actionKind(frame: Frame): unknown {
  const delivered = frame.action?.deliver;
  return typeof delivered === "object" && delivered !== null && "kind" in delivered
    ? delivered.kind
    : null;
}

/** One direction of a link. An action on all links of a broker is one dot on that broker's lane. */
function link(drawing: Drawing, event: TraceEvent, frame: Frame): readonly Dot[] {
  const { from, to } = event.numbers;
  const whole = brokerOf(frame);
  const place = whole ?? (from === "controller" ? from : asId(from));
  const first = frame.events.find(({ kind }) => kind === event.kind);
  if (whole !== null && first !== event) return [];
  return dot(place, drawing, event).map((one) => ({
    ...one,
    label: { ...one.label, numbers: { to: whole === null ? to : null } },
  }));
}

/** The broker that a whole action is about, for example one that is isolated. */
function brokerOf(frame: Frame): number | null {
  const given = Object.values(frame.action ?? {})[0];
  return typeof given === "object" &&
    given !== null &&
    "broker" in given &&
    typeof given.broker === "number"
    ? given.broker
    : null;
}

function placeIn(place: Place, event: TraceEvent): string {
  return `${place} ${event.numbers.partition}`;
}

/** Whether an item is about a partition, or about none in particular. */
export function isAbout(event: TraceEvent, partition: string | null): boolean {
  const named = event.numbers.partition;
  return partition === null || typeof named !== "string" || named === partition;
}
