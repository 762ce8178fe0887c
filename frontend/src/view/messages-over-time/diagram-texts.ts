/** The diagram's texts: labels of arrows and dots, lanes, timers. */

import { say as word } from "languages:diagram";

import type { Lang } from "../../language";
import type { Label, Place } from "../../layout/diagram-facts";
import type { Arrow } from "../../layout/diagram-model";
import type { ShownItem } from "../../layout/diagram-window";
import {
  headlineOf,
  isDown,
  isStaleLeader,
  sentence,
  type Catalogue,
  type Frame,
} from "../../trace";

export { word };

/** The name of a step, with its number; and the number alone, empty at the start. */
export interface BandTitle {
  readonly text: string;
  readonly short: string;
}

export function labelText({ name, numbers }: Label, lang: Lang): string {
  // The engine names only labels that the languages have.
  return word(lang, name as Parameters<typeof word>[1], numbers);
}

/** From this number on, a response shows the number of records instead of their names. */
const MOST_VALUES = 3;

/** The short label of a message's contents. */
export function carriedText(arrow: Arrow, lang: Lang): string {
  const what = contentText(arrow, lang);
  if (arrow.fate === "lost") return word(lang, "lost", { what });
  return arrow.heldFrom !== null && arrow.heldTo === null ? word(lang, "held", { what }) : what;
}

/** The label of several messages: what they have in common, with their number. */
export function severalText(text: string, count: number, lang: Lang): string {
  return count === 1 ? text : word(lang, "several", { what: text, count }).trim();
}

/** What several messages of one kind carry, as a label, and in full. */
export function carriedByAll(
  arrows: readonly Arrow[],
  lang: Lang,
): { readonly labels: readonly string[]; readonly full: string } {
  const texts = [...new Set(arrows.map((arrow) => carriedText(arrow, lang)))];
  const common =
    texts.length === 1
      ? texts[0]
      : arrows.every(({ kind }) => METADATA.has(kind))
        ? word(lang, "metadata")
        : "";
  return {
    labels: [
      ...new Set([
        severalText(common ?? "", arrows.length, lang),
        severalText("", arrows.length, lang),
      ]),
    ],
    full: severalText(texts.join(" · "), arrows.length, lang),
  };
}

const METADATA: ReadonlySet<string> = new Set([
  "leader_and_isr",
  "metadata_record",
  "update_metadata",
]);

function contentText({ kind, numbers }: Arrow, lang: Lang): string {
  if (typeof numbers.error === "string" && numbers.error !== "NONE") return numbers.error;
  switch (kind) {
    case "fetch_request":
      return word(lang, "fetch", { offset: numbers.fetch_offset });
    case "fetch_response": {
      if (typeof numbers.diverging_epoch === "number")
        return word(lang, "diverges", {
          epoch: numbers.diverging_epoch,
          offset: numbers.end_offset,
        });
      const values = Array.isArray(numbers.values) ? numbers.values : [];
      if (values.length === 0) return word(lang, "fetchedNothing", numbers);
      return word(lang, "fetched", {
        ...numbers,
        values: values.length > MOST_VALUES ? null : values,
        count: values.length,
      });
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
      return typeof numbers.leader === "number"
        ? word(lang, "commands", numbers)
        : word(lang, "metadata");
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

/** The name of an item's button: its label, its ends, and the sentence of the frame to which it leads. */
export function itemName(
  { shape, of, ...item }: ShownItem,
  frame: Frame | undefined,
  newest: Frame | undefined,
  catalogue: Catalogue,
  lang: Lang,
): string {
  const told = "event" in of ? of.event : frame === undefined ? undefined : headlineOf(frame);
  const said = told === undefined ? "" : sentence(catalogue, told, lang);
  if ("place" in of) return word(lang, "said", { what: labelText(of.label, lang), sentence: said });
  if (newest === undefined || shape === "dot" || !("all" in item)) return said;
  const { from, to } = of;
  const what =
    "label" in of
      ? severalText(labelText(of.label, lang), item.all.length, lang)
      : carriedByAll(
          item.all.filter((one) => "id" in one),
          lang,
        ).full;
  return word(lang, "named", {
    what,
    from: laneName(from, newest, lang),
    to: laneName(to, newest, lang),
    sentence: said,
  });
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
  const names =
    place === "producers"
      ? [...new Set([...Object.keys(producers), ...produced.map((record) => record.as)])].sort()
      : Object.keys(consumers).sort();
  return word(lang, place, { names, count: names.length });
}

/** The state of a broker, shown below its lane's name. */
export function laneRole(
  place: Place,
  frame: Frame,
  partition: string | null,
  lang: Lang,
): { readonly text: string; readonly tone: "plain" | "warn" | "bad" } | null {
  if (typeof place !== "number") return null;
  const state = frame.state.brokers[String(place)]?.state;
  if (state !== undefined && isDown(state)) return { text: word(lang, "down"), tone: "bad" };
  if (state === "paused") return { text: word(lang, "paused"), tone: "warn" };
  const replica = partition === null ? undefined : frame.state.replicas[partition]?.[String(place)];
  if (partition === null || replica === undefined || replica.role === "none") return null;
  if (replica.role === "follower") return { text: word(lang, "follower"), tone: "plain" };
  return isStaleLeader(frame, partition, place)
    ? { text: word(lang, "staleLeader", { epoch: replica.leader_epoch }), tone: "warn" }
    : { text: word(lang, "leader"), tone: "plain" };
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
