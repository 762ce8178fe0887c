/** The diagram's texts: labels of arrows and dots, lanes, timers. */

import texts from "languages:diagram";

import { sayer, type Lang } from "../../language";
import type { Label, Place } from "../../layout/diagram-facts";
import type { Arrow } from "../../layout/diagram-model";
import { isStaleLeader, type Frame } from "../../trace";

export const word = sayer(texts);

/** The name of a step, with its number; and the number alone, empty at the start. */
export interface BandTitle {
  readonly text: string;
  readonly short: string;
}

export function labelText({ name, numbers }: Label, lang: Lang): string {
  return word(lang, name, numbers);
}

/** From this number on, a response shows the number of records instead of their names. */
const MOST_VALUES = 3;

/** The short label of a message's contents. */
export function carriedText(arrow: Arrow, lang: Lang): string {
  const what = contentText(arrow, lang);
  if (arrow.fate === "lost") return word(lang, "lost", { what });
  return arrow.heldFrom !== null && arrow.heldTo === null ? word(lang, "held", { what }) : what;
}

function contentText({ kind, numbers }: Arrow, lang: Lang): string {
  if (typeof numbers.error === "string" && numbers.error !== "NONE") return numbers.error;
  switch (kind) {
    case "fetch_request":
      return word(lang, "fetch", { offset: numbers.fetch_offset });
    case "fetch_response": {
      if (typeof numbers.diverging_epoch === "number") return word(lang, "diverges", { epoch: numbers.diverging_epoch, offset: numbers.end_offset });
      const values = Array.isArray(numbers.values) ? numbers.values : [];
      if (values.length === 0) return word(lang, "fetchedNothing", numbers);
      return word(lang, "fetched", { ...numbers, values: values.length > MOST_VALUES ? null : values, count: values.length });
    }
    case "offsets_for_leader_epoch_request":
      return word(lang, "asksEpoch", numbers);
    case "offsets_for_leader_epoch_response":
      return word(lang, "respondsEpoch", { offset: numbers.end_offset });
    case "list_offsets_request":
      return word(lang, "asksOffset", numbers);
    case "list_offsets_response":
      return word(lang, "respondsOffset", numbers);
    case "leader_and_isr":
    case "metadata_record":
      return typeof numbers.leader === "number" ? word(lang, "commands", numbers) : word(lang, "metadata");
    case "update_metadata":
      return word(lang, "metadata");
    case "stop_replica":
      return word(lang, "deletesReplica");
    case "alter_partition_request":
      return word(lang, "asksIsr", numbers);
    case "alter_partition_response":
      return word(lang, "respondsIsr", numbers);
    case "isr_change_notification":
      return word(lang, "notifies");
    default:
      return kind;
  }
}

/** A time in seconds, with all significant digits: 12.4 s, 31.207 s. */
export function secondsText(ms: number, lang: Lang): string {
  const value = ms % 100 === 0 ? (ms / 1000).toFixed(1) : (ms / 1000).toFixed(3).replace(/0+$/, "");
  return word(lang, "seconds", { value });
}

/** A lane's name. */
export function laneName(place: Place, frame: Frame, lang: Lang): string {
  if (place === "controller") return word(lang, "controller");
  if (typeof place === "number") return word(lang, "broker", { broker: place });
  const { producers, consumers, produced } = frame.state.clients;
  const names = place === "producers" ? [...new Set([...Object.keys(producers), ...produced.map((record) => record.as)])].sort() : Object.keys(consumers).sort();
  return word(lang, place, { names, count: names.length });
}

/** The state of a broker, shown below its lane's name. */
export function laneRole(place: Place, frame: Frame, partition: string | null, lang: Lang): { readonly text: string; readonly tone: "plain" | "warn" | "bad" } | null {
  if (typeof place !== "number") return null;
  const state = frame.state.brokers[String(place)]?.state;
  if (state === "crashed" || state === "stopped" || state === "failed") return { text: word(lang, "down"), tone: "bad" };
  if (state === "paused") return { text: word(lang, "paused"), tone: "warn" };
  const replica = partition === null ? undefined : frame.state.replicas[partition]?.[String(place)];
  if (partition === null || replica === undefined || replica.role === "none") return null;
  if (replica.role === "follower") return { text: word(lang, "follower"), tone: "plain" };
  return isStaleLeader(frame, partition, place) ? { text: word(lang, "staleLeader", { epoch: replica.leader_epoch }), tone: "warn" } : { text: word(lang, "leader"), tone: "plain" };
}

/** A text truncated at its end if there is no room. */
export function cutText(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  for (let kept = text.length - 1; kept > 2; kept -= 1) {
    const shorter = `${text.slice(0, kept).trimEnd()}…`;
    if (fits(shorter)) return shorter;
  }
  return "";
}
