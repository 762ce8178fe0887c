/**
 * The parts of a frame in the diagram of messages over time other than its messages, derived only
 * from its events.
 */

import type { Endpoint, EventName, EventOf, Frame, Numbers, TraceEvent } from "../trace";

/** A lane of the diagram: a broker's id, the controller, all producers, or all consumers. */
export type Place = Endpoint | "producers" | "consumers";
export type Tone = "plain" | "accent" | "good" | "warn" | "bad";

/** A short label: the name of a message, and its values. */
export interface Label {
  readonly name: LabelName;
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

export type LabelName =
  | "acknowledges"
  | "appends"
  | "assigns"
  | "changesLevel"
  | "checksIsr"
  | "checksIsrChanges"
  | "closesTransaction"
  | "consumes"
  | "crashes"
  | "cuts"
  | "cutsLink"
  | "diskLost"
  | "electedLeader"
  | "elrChanges"
  | "ends"
  | "fails"
  | "failsWithException"
  | "fences"
  | "fetcherFails"
  | "fileOfHighWatermark"
  | "fileOfRecoveryPoint"
  | "flushes"
  | "follows"
  | "hangs"
  | "healsLink"
  | "heartbeat"
  | "ignores"
  | "isrChanges"
  | "leads"
  | "leaderless"
  | "leavesWithoutResponse"
  | "learnsLeader"
  | "losesUnflushed"
  | "lostRecord"
  | "marks"
  | "movesHighWatermark"
  | "nobodyLeads"
  | "notElected"
  | "opensLog"
  | "opensTransaction"
  | "outOfSync"
  | "pauses"
  | "powerLost"
  | "produces"
  | "readsNothing"
  | "recordsAtRisk"
  | "recordsSafe"
  | "refusesIsr"
  | "registers"
  | "replicaDeleted"
  | "replicaMade"
  | "resumes"
  | "sessionEnds"
  | "setsConfig"
  | "shutsDown"
  | "slows"
  | "starts"
  | "stops"
  | "takesOver"
  | "toldToFollower"
  | "unfences"
  | "waits";

type Reading<Read> = (event: Read, frame: Frame) => readonly (Dot | Jump)[];
/** An event with at least these numbers. */
type With<Given> = TraceEvent & { readonly numbers: Given };
type OfBroker = With<{ readonly broker: number | null }>;

/** From this number on, a label shows the number of records instead of their names. */
const MOST_VALUES = 2;

function asId(value: Numbers[string] | undefined): number | null {
  return typeof value === "number" && value >= 0 ? value : null;
}

function counted(values: Numbers[string] | undefined): Readonly<Record<string, unknown>> {
  const all = Array.isArray(values) ? values : [];
  return { values: all.length > MOST_VALUES ? null : all, count: all.length };
}

function dot(
  place: Place | null,
  tone: Tone,
  name: LabelName,
  event: TraceEvent,
  numbers: Label["numbers"] = event.numbers,
): Dot[] {
  return place === null
    ? []
    : [{ place, tone, label: { name, numbers }, event, timeMs: null, late: false }];
}

/** A dot on the lane of the event's broker. */
function atBroker(name: LabelName, tone: Tone = "plain"): Reading<OfBroker> {
  return (event) => dot(asId(event.numbers.broker), tone, name, event);
}

function atController(name: LabelName, tone: Tone = "plain"): Reading<TraceEvent> {
  return (event) => dot("controller", tone, name, event);
}

function jump(
  from: Place | null,
  to: Place,
  event: TraceEvent,
  name: LabelName,
  given: Partial<Pick<Jump, "tone" | "before" | "lost">> & {
    readonly numbers?: Label["numbers"];
  } = {},
): Jump[] {
  const { tone = "plain", before = false, lost = false, numbers = event.numbers } = given;
  return from === null ? [] : [{ from, to, tone, label: { name, numbers }, before, lost, event }];
}

/** A broker's response to a consumer. */
function told(name: LabelName, tone: Tone = "plain"): Reading<OfBroker> {
  return (event) =>
    jump(asId(event.numbers.broker), "consumers", event, name, {
      tone,
      numbers: { ...event.numbers, ...counted(event.numbers.values) },
    });
}

function toController(name: LabelName): Reading<OfBroker> {
  return (event) => {
    const broker = asId(event.numbers.broker);
    return jump(broker, "controller", event, name, { before: true });
  };
}

/**
 * An ISR was written: by the controller at the request of a leader, by the controller itself, or by
 * the leader in ZooKeeper, which follows the fetch or the check that caused it.
 */
function isrChange(
  event: EventOf<"IsrExpanded" | "IsrShrunk">,
  frame: Frame,
): readonly (Dot | Jump)[] {
  const leader = asId(event.numbers.broker);
  const asked = frame.events.some(
    ({ kind }) => kind === "LeaderElected" || kind === "SessionExpired" || kind === "BrokerFenced",
  );
  const byMessage =
    frame.moves.some(({ fate }) => fate === "arrived") &&
    actionKind(frame) === "alter_partition_request";
  const written = dot("controller", "plain", "isrChanges", event);
  if (asked || byMessage || event.variant === "controller" || leader === null) return written;
  return [
    ...written.map((one) => ({ ...one, late: true })),
    ...jump(leader, "controller", event, "isrChanges"),
  ];
}

/** A check of the ISR, or of the changes to notify. Checks that changed nothing are events of the next frame, with their own time. */
function isrCheck(event: EventOf<"IsrChecked" | "IsrChangesKept">): readonly Dot[] {
  const { broker, checked_ms: timeMs } = event.numbers;
  return dot(
    asId(broker),
    "plain",
    event.kind === "IsrChecked" ? "checksIsr" : "checksIsrChanges",
    event,
  ).map((one) => ({ ...one, timeMs: typeof timeMs === "number" ? timeMs : null }));
}

function actionKind(frame: Frame): unknown {
  const delivered = frame.action?.deliver;
  return typeof delivered === "object" && delivered !== null && "kind" in delivered
    ? delivered.kind
    : null;
}

function highWatermark(
  event: EventOf<"HighWatermarkAdvanced" | "FollowerHighWatermarkSet">,
): readonly Dot[] {
  return event.numbers.before === event.numbers.after
    ? []
    : dot(asId(event.numbers.broker), "accent", "movesHighWatermark", event);
}

function written<Key extends string>(
  name: LabelName,
  of: Key,
): Reading<OfBroker & With<{ readonly [Name in Key]: readonly string[] }>> {
  return (event) => {
    const entries: readonly string[] = event.numbers[of];
    const offsets = entries.map((entry) => entry.replace(/^.*: /, ""));
    return dot(asId(event.numbers.broker), "plain", name, event, {
      offsets: offsets.length > MOST_VALUES ? null : offsets,
    });
  };
}

/** One direction of a link. An action on all links of a broker is one dot on that broker's lane. */
function link(
  name: "cutsLink" | "healsLink",
  tone: Tone,
): Reading<EventOf<"LinkCut" | "LinkHealed">> {
  return (event, frame) => {
    const whole = brokerOf(frame);
    if (whole === null)
      return dot(placeOf(event.numbers.from), tone, name, event, { to: event.numbers.to });
    const first = frame.events.find(({ kind }) => kind === event.kind);
    return first === event ? dot(whole, tone, name, event, { to: null }) : [];
  };
}

function placeOf(end: Numbers[string] | undefined): Place | null {
  return end === "controller" ? end : asId(end);
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

const READINGS: { readonly [Name in EventName]?: Reading<EventOf<Name>> } = {
  // Producers.
  RecordProduced: (event) => [
    ...jump("producers", event.numbers.broker as number, event, "produces", { before: true }),
    ...dot(asId(event.numbers.broker), "plain", "appends", event, {
      values: [event.numbers.value],
      count: 1,
    }),
  ],
  DuplicateRecognised: (event) =>
    dot(asId(event.numbers.broker), "warn", "ignores", event, { what: event.numbers.value }),
  ProduceWaiting: (event) =>
    jump("producers", event.numbers.broker as number, event, "waits", {
      before: true,
      tone: "warn",
    }),
  ProduceAcknowledged: (event) =>
    jump(asId(event.numbers.broker), "producers", event, "acknowledges", { tone: "good" }),
  ProduceFailed: (event) =>
    asId(event.numbers.broker) === null
      ? dot("producers", "bad", "fails", event)
      : jump(asId(event.numbers.broker), "producers", event, "fails", { tone: "bad" }),
  ProduceUnanswered: (event) =>
    jump(asId(event.numbers.broker), "producers", event, "leavesWithoutResponse", {
      tone: "bad",
      lost: true,
    }),
  TransactionBegun: (event) => dot("producers", "plain", "opensTransaction", event),
  TransactionEnded: (event) =>
    dot("producers", "plain", "closesTransaction", event, { how: event.variant ?? null }),
  MarkerWritten: (event) =>
    dot(asId(event.numbers.broker), "plain", "marks", event, { how: event.variant ?? null }),
  ClientMetadataRefreshed: (event, frame) =>
    dot(
      String(event.numbers.client) in frame.state.clients.consumers ? "consumers" : "producers",
      "plain",
      "learnsLeader",
      event,
    ),
  // The loss of an acknowledged record is shown on the producers' lane.
  RecordLost: (event) =>
    typeof event.numbers.acked_frame === "number"
      ? dot("producers", "bad", "lostRecord", event)
      : [],
  RecordsAtRisk: (event) =>
    dot("producers", "warn", "recordsAtRisk", event, counted(event.numbers.values)),
  RecordsSafeAgain: (event) =>
    dot("producers", "good", "recordsSafe", event, counted(event.numbers.values)),

  // Consumers.
  ConsumerRead: told("consumes"),
  ConsumerPassedOver: told("readsNothing"),
  ConsumerReadNothing: told("readsNothing"),
  ConsumerSentToFollower: told("toldToFollower"),
  ConsumerOutOfRange: told("fails", "bad"),
  ConsumerOffsetNotAvailable: told("fails", "warn"),
  ConsumerTruncationDetected: told("fails", "bad"),
  ConsumeFailed: (event) =>
    asId(event.numbers.broker) === null
      ? dot("consumers", "bad", "fails", event)
      : told("fails", "bad")(event, {} as Frame),

  // Logs.
  FetchApplied: (event) =>
    event.variant === "empty"
      ? []
      : dot(asId(event.numbers.broker), "plain", "appends", event, counted(event.numbers.values)),
  HighWatermarkAdvanced: highWatermark,
  FollowerHighWatermarkSet: highWatermark,
  HighWatermarkCheckpointed: written("fileOfHighWatermark", "high_watermarks"),
  RecoveryPointCheckpointed: written("fileOfRecoveryPoint", "recovery_points"),
  LogFlushed: atBroker("flushes"),
  LogTruncated: (event) =>
    dot(asId(event.numbers.broker), "bad", "cuts", event, counted(event.numbers.values)),
  UnflushedRecordsLost: (event) =>
    dot(asId(event.numbers.broker), "bad", "losesUnflushed", event, counted(event.numbers.values)),
  LogLoaded: atBroker("opensLog"),
  ReplicaCreated: atBroker("replicaMade"),
  ReplicaDeleted: atBroker("replicaDeleted", "warn"),

  // Processes and links. Log changes are visible on the stage.
  BrokerBooted: (event, frame) =>
    frame.events.some(({ kind }) => kind === "LogLoaded")
      ? []
      : dot(asId(event.numbers.broker), "plain", "starts", event),
  BrokerCrashed: atBroker("crashes", "bad"),
  PowerLost: atBroker("powerLost", "bad"),
  DiskLost: atBroker("diskLost", "bad"),
  BrokerStopped: atBroker("stops", "bad"),
  BrokerExited: atBroker("ends", "bad"),
  BrokerHalted: atBroker("ends", "bad"),
  BrokerHung: atBroker("hangs", "bad"),
  ShutdownStarted: atBroker("shutsDown", "warn"),
  BrokerPaused: atBroker("pauses", "warn"),
  BrokerResumed: atBroker("resumes"),
  BrokerSlowed: atBroker("slows", "warn"),
  LinkCut: link("cutsLink", "bad"),
  LinkHealed: link("healsLink", "plain"),

  // The controller, and the brokers' handling of its commands.
  ControllerElected: atController("takesOver", "accent"),
  SessionExpired: atController("sessionEnds", "warn"),
  BrokerFenced: atController("fences", "warn"),
  BrokerUnfenced: toController("unfences"),
  BrokerJoined: toController("registers"),
  BrokerRegistered: toController("registers"),
  HeartbeatReceived: toController("heartbeat"),
  RegistrationRefused: (event) =>
    jump(asId(event.numbers.broker), "controller", event, "registers", {
      before: true,
      lost: true,
      tone: "bad",
    }),
  LeaderElected: (event) =>
    dot("controller", event.variant === "unclean" ? "bad" : "accent", "electedLeader", event),
  LeaderLost: atController("nobodyLeads", "bad"),
  ElectionNotPossible: atController("notElected", "bad"),
  EligibleLeaderReplicasChanged: atController("elrChanges"),
  ReassignmentStarted: (event) =>
    dot("controller", "plain", "assigns", event, { replicas: event.numbers.target }),
  ReassignmentCompleted: atController("assigns"),
  ReassignmentCancelled: atController("assigns", "warn"),
  ControllerFailed: atController("failsWithException", "bad"),
  ReplicasReordered: atController("assigns"),
  ConfigChanged: atController("setsConfig"),
  ProtocolLevelChanged: atController("changesLevel"),
  BecameLeader: atBroker("leads", "accent"),
  BecameFollower: atBroker("follows"),
  BecameLeaderless: atBroker("leaderless", "warn"),
  CommandFenced: (event) =>
    dot(asId(event.numbers.broker), "warn", "ignores", event, { what: event.variant ?? null }),
  CommandIgnored: (event) =>
    dot(asId(event.numbers.broker), "warn", "ignores", event, { what: null }),
  ResponseIgnored: (event) =>
    dot(asId(event.numbers.broker), "warn", "ignores", event, { what: null }),
  LateResponseDiscarded: (event) =>
    dot(asId(event.numbers.broker), "warn", "ignores", event, { what: null }),
  PartitionFailed: atBroker("fetcherFails", "bad"),

  // The ISR.
  IsrExpanded: isrChange,
  IsrShrunk: isrChange,
  IsrChecked: isrCheck,
  IsrChangesKept: isrCheck,
  FollowerOutOfSync: atBroker("outOfSync", "warn"),
  IsrChangeRejected: atBroker("refusesIsr", "warn"),
  IsrChangeBlocked: atBroker("refusesIsr", "warn"),
};

const known = new WeakMap<Frame, FrameFacts>();

/** The dots and jumps of a frame, computed once for each frame. */
export function factsOf(frame: Frame): FrameFacts {
  const before = known.get(frame);
  if (before !== undefined) return before;
  const dots: Dot[] = [];
  const jumps: Jump[] = [];
  // What a leader does after it has written an ISR, such as advancing its high watermark.
  const after = new Set<string>();
  for (const event of frame.events) {
    const read = READINGS[event.kind] as Reading<TraceEvent> | undefined;
    for (const fact of read?.(event, frame) ?? []) {
      if ("place" in fact)
        dots.push(after.has(placeIn(fact.place, event)) ? { ...fact, late: true } : fact);
      else {
        jumps.push(fact);
        if (fact.label.name === "isrChanges") after.add(placeIn(fact.from, event));
      }
    }
  }
  const facts = { dots, jumps };
  known.set(frame, facts);
  return facts;
}

function placeIn(place: Place, event: TraceEvent): string {
  return `${String(place)} ${String(event.numbers.partition)}`;
}

/** Whether an item is about a partition, or about none in particular. */
export function isAbout(event: TraceEvent, partition: string | null): boolean {
  const named = event.numbers.partition;
  return partition === null || typeof named !== "string" || named === partition;
}
