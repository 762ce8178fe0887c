/** The texts in the gutter next to a replica's log. */

import { isWithin, type Fold } from "../../layout/folding";
import type { CellLayout } from "../../layout/log-cells";
import {
  isDown,
  isStaleLeader,
  type Broker,
  type Frame,
  type Lang,
  type LogRecord,
  type Replica,
} from "../../trace";
import { joined, set, word, type Word } from "./stage-texts";

export type Tone = "plain" | "good" | "warn" | "bad";

export interface GutterLine {
  readonly text: string;
  readonly tone: Tone;
}

export interface GutterText {
  readonly name: string;
  readonly glyph: "crown" | "stale" | "down" | null;
  readonly preferred: boolean;
  readonly role: GutterLine;
  /** The roles in other partitions, next to columns; omitted: there are none. */
  readonly otherRoles?: readonly GutterLine[];
  readonly sync: (GutterLine & { readonly filled: boolean }) | null;
  readonly extra: readonly GutterLine[];
}

export interface GutterContext {
  readonly frame: Frame;
  readonly partition: string;
  readonly lang: Lang;
  readonly depthOf: (frame: number) => number;
}

/** A shorter lag (ms) is only due to messages in flight. */
const TOLD_LAG_MS = 100;

export function gutterText(id: number, context: GutterContext): GutterText {
  const { frame, partition, lang, depthOf } = context;
  const broker = frame.state.brokers[String(id)];
  const assignment = frame.state.partitions[partition];
  const replica = frame.state.replicas[partition]?.[String(id)];
  if (replica === undefined || assignment === undefined) return withoutReplica(id, broker, context);

  const down = isDown(replica.broker_state);
  const inSync = assignment.isr.includes(id);
  const stale = isStaleLeader(frame, partition, id);
  return {
    name: word(lang, "broker", { broker: id }),
    glyph: glyphOf(replica, stale),
    preferred: assignment.preferred_leader === id,
    role:
      down && broker !== undefined
        ? downText(broker, lang, depthOf)
        : roleText(replica, stale, frame.state.time_ms, lang),
    sync: {
      text: word(lang, inSync ? "inSync" : "outOfSync"),
      tone: inSync ? "good" : "warn",
      filled: inSync,
    },
    extra: [
      stateLine(replica, broker, lang),
      isrLine(replica, assignment.isr, lang),
      inSync ? lagLine(id, assignment.leader, context) : null,
      cutLine(broker, lang),
    ].filter((line) => line !== null),
  };
}

/** The texts of a broker that has no replica of the partition. */
function withoutReplica(
  id: number,
  broker: Broker | undefined,
  { partition, lang, depthOf }: GutterContext,
): GutterText {
  const down = broker !== undefined && isDown(broker.state);
  return {
    name: word(lang, "broker", { broker: id }),
    glyph: down ? "down" : null,
    preferred: false,
    role: down
      ? downText(broker, lang, depthOf)
      : { text: word(lang, "noReplica", { partition }), tone: "plain" },
    sync: null,
    extra: [],
  };
}

function glyphOf(replica: Replica, stale: boolean): GutterText["glyph"] {
  if (isDown(replica.broker_state)) return "down";
  if (replica.role !== "leader") return null;
  return stale ? "stale" : "crown";
}

function stateLine(replica: Replica, broker: Broker | undefined, lang: Lang): GutterLine | null {
  const state = brokerStateWord(replica, broker);
  return state === null ? null : { text: word(lang, state), tone: "warn" };
}

/** The ISR that a leader asks for, or has, if it is another than the partition's. */
function isrLine(replica: Replica, isr: readonly number[], lang: Lang): GutterLine | null {
  const { pending_isr: pending, isr: own, role } = replica;
  if (pending !== null)
    return { text: word(lang, "asksForIsr", { isr: set(pending.isr) }), tone: "plain" };
  return own !== null && role === "leader" && !sameMembers(own, isr)
    ? { text: word(lang, "ownIsr", { isr: set(own) }), tone: "warn" }
    : null;
}

/** How long ago, as its leader knows, a replica had caught up. */
function lagLine(
  id: number,
  leader: number | null,
  { frame, partition, lang }: GutterContext,
): GutterLine | null {
  const followers = frame.state.replicas[partition]?.[String(leader)]?.followers;
  const behind = followers?.[String(id)]?.behind_ms ?? 0;
  const most = frame.state.configs["replica.lag.time.max.ms"];
  if (behind < TOLD_LAG_MS || typeof most !== "number") return null;
  const ago = Math.round(behind / 100) / 10;
  return { text: word(lang, "caughtUpAgo", { ago, most: most / 1000 }), tone: "plain" };
}

function cutLine(broker: Broker | undefined, lang: Lang): GutterLine | null {
  if (broker === undefined || broker.cut_from.length === 0) return null;
  const brokers = broker.cut_from.map((end) =>
    end === "controller" ? word(lang, "controllerReceiver") : String(end),
  );
  return { text: word(lang, "cutFrom", { brokers }), tone: "bad" };
}

function roleText(replica: Replica, stale: boolean, now: number, lang: Lang): GutterLine {
  if (replica.role === "leader") {
    return {
      text: word(lang, stale ? "staleLeader" : "leaderInEpoch", {
        epoch: replica.leader_epoch ?? "–",
      }),
      tone: stale ? "warn" : "plain",
    };
  }
  if (replica.role === "none") return { text: word(lang, "noRole"), tone: "plain" };
  const doing = fetcherWord(replica, now);
  const role = word(lang, "follower");
  return {
    text: doing === null ? role : `${role} · ${word(lang, doing)}`,
    tone: doing === "fetcherFailed" ? "bad" : "plain",
  };
}

function fetcherWord(replica: Replica, now: number): Word | null {
  const fetcher = replica.fetcher;
  if (fetcher === null) return null;
  if (fetcher.state === "failed") return "fetcherFailed";
  if (fetcher.delayed_until_ms !== null && fetcher.delayed_until_ms > now) return "backingOff";
  if (fetcher.state === "truncating") return "truncating";
  if (fetcher.state === "resetting") return "resetting";
  return null;
}

/** The state of a broker that is neither running nor down, in a word or two. */
export function brokerStateWord(replica: Replica, broker: Broker | undefined): Word | null {
  if (replica.broker_state === "paused") return "paused";
  if (replica.broker_state === "shutting_down") return "shuttingDown";
  if (replica.broker_state === "fenced" || broker?.fenced === true)
    return isDown(replica.broker_state) ? null : "fenced";
  return null;
}

function downText(broker: Broker, lang: Lang, depthOf: (frame: number) => number): GutterLine {
  if (broker.down_since_frame === null) return { text: word(lang, "down"), tone: "bad" };
  const step = depthOf(broker.down_since_frame);
  const name: Word =
    broker.state === "stopped"
      ? "stopped"
      : broker.state === "failed"
        ? "failed"
        : broker.noticed
          ? "downNoticed"
          : "downUnnoticed";
  return { text: word(lang, name, { step }), tone: "bad" };
}

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}

/** A cell in words, for its tooltip and for screen readers. */
export function describeCell(cell: CellLayout, replica: Replica, lang: Lang): string {
  const { record } = cell;
  const what = [
    word(lang, "record", { value: record.value, offset: record.offset }),
    record.epoch === null ? null : word(lang, "inEpoch", { epoch: record.epoch }),
  ];
  const state = cell.cut
    ? [word(lang, cell.unflushed ? "unflushedNow" : "cut")]
    : [
        producerText(record, replica, lang),
        word(lang, cell.committed ? "committed" : "uncommitted"),
        word(lang, record.offset < replica.flushed ? "flushed" : "unflushed"),
        cell.diverging ? word(lang, "diverging") : null,
      ];
  return joined(
    lang,
    [...what, ...state].filter((part) => part !== null),
  );
}

const IN_TRANSACTION = {
  open: "inOpenTransaction",
  aborted: "inAbortedTransaction",
  committed: "inTransaction",
} as const;

/** A record's place in what its producer wrote; null if it has no producer id. */
function producerText(record: LogRecord, replica: Replica, lang: Lang): string | null {
  const producer = record.producer_id ?? null;
  if (producer === null) return null;
  if ((record.control ?? null) !== null) return word(lang, "endOfTransaction", { producer });
  if (record.transactional === true) {
    const outcome = transactionOf(replica, record)?.outcome ?? "committed";
    return word(lang, IN_TRANSACTION[outcome], { producer });
  }
  const sequence = record.sequence ?? null;
  return sequence === null ? null : word(lang, "sequenceOf", { producer, sequence });
}

function transactionOf(
  replica: Replica,
  record: LogRecord,
): NonNullable<Replica["transactions"]>[number] | undefined {
  return replica.transactions?.find(
    (one) =>
      one.producer_id === record.producer_id &&
      record.offset >= one.first_offset &&
      record.offset <= one.last_offset,
  );
}

/** The bracketed transactions of a log, in words. */
export function transactionsText(replica: Replica, lang: Lang): string[] {
  return (replica.transactions ?? []).flatMap(
    ({ outcome, producer_id: producer, first_offset: from, last_offset: to }) =>
      outcome === "committed"
        ? []
        : [
            word(lang, outcome === "open" ? "openTransactionOf" : "abortedTransactionOf", {
              producer,
              from,
              to,
            }),
          ],
  );
}

/** A log as a line of records; folded records are counted. */
export function logText(log: readonly LogRecord[], folds: readonly Fold[], lang: Lang): string {
  const foldOf = ({ offset }: LogRecord) => folds.find((fold) => isWithin(fold, offset));
  const parts = log.flatMap((record, index) => {
    const fold = foldOf(record);
    if (fold === undefined)
      return [record.epoch === null ? record.value : `${record.value}/${record.epoch}`];
    const before = log[index - 1];
    if (before !== undefined && foldOf(before) === fold) return [];
    const count = log.filter((other) => foldOf(other) === fold).length;
    return [word(lang, "foldedRecords", { count, from: fold.from, to: fold.to })];
  });
  return parts.join(" ") || word(lang, "none");
}
