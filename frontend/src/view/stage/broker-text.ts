/** The texts next to a broker's row: about one partition, or about all partitions side by side. */

import type { ColumnPlace } from "../../layout/stage-request";
import { roleLinesOf, wrappedLines } from "./gutter-layout";
import { gutterText, type GutterContext, type GutterLine, type GutterText } from "./row-text";
import { joined, word } from "./stage-texts";

export type BrokerContext = GutterContext & {
  readonly column: Pick<ColumnPlace, "partitions" | "first"> | null;
};

/** The texts of a row; only the first of several columns has more than the broker's name. */
export function brokerText(id: number, { column, ...context }: BrokerContext): GutterText {
  if (column === null) return gutterText(id, context);
  if (column.first) return brokerInAll(id, column.partitions, context);
  return {
    name: word(context.lang, "broker", { broker: id }),
    glyph: null,
    preferred: false,
    role: { text: "", tone: "plain" },
    sync: null,
    extra: [],
  };
}

/** What a record's description begins with. */
export function rowName(
  id: number,
  { column, lang, partition }: Pick<BrokerContext, "column" | "lang" | "partition">,
): string {
  return joined(lang, [word(lang, "broker", { broker: id }), column === null ? "" : partition]);
}

/** The number of lines of this width below a broker's name and the two that every row has room for. */
export function linesBelowName(text: GutterText, room: number, column: object | null): number {
  const lines = roleLinesOf(text, room).length + wrappedLines(text.extra, room).length;
  // One partition has the ISR state on the second line.
  return Math.max(0, lines - (column === null ? 1 : 2));
}

/** Roles that are the same in several partitions are one line; what is not true in all partitions names its own. */
function brokerInAll(
  id: number,
  partitions: readonly string[],
  context: GutterContext,
): GutterText {
  const { frame, lang } = context;
  const within = partitions.filter(
    (partition) =>
      frame.state.replicas[partition]?.[String(id)] !== undefined &&
      frame.state.partitions[partition] !== undefined,
  );
  const texts = within.map((partition) => ({
    partition,
    text: gutterText(id, { ...context, partition }),
  }));
  const [one] = texts;
  if (one === undefined) {
    const text = gutterText(id, context);
    return text.glyph === null ? { ...text, role: { text: "", tone: "plain" } } : text;
  }
  const named = (names: readonly string[], said: string): string =>
    word(lang, "inPartitions", { partitions: names.join(" · "), said });
  const down = one.text.glyph === "down";
  const roles = grouped(texts.map(({ partition, text }) => ({ partition, line: text.role })));
  const extra = grouped(
    texts.flatMap(({ partition, text }) => text.extra.map((line) => ({ partition, line }))),
  );
  const outOfSync = texts
    .filter(({ text }) => text.sync?.filled === false)
    .map(({ partition }) => partition);
  const [role = one.text.role, ...otherRoles] = down
    ? [one.text.role]
    : roles.map(({ names, line }) => ({ ...line, text: named(names, line.text) }));
  const glyphs = texts.map(({ text }) => text.glyph);
  return {
    name: one.text.name,
    glyph: down
      ? "down"
      : glyphs.includes("crown")
        ? "crown"
        : glyphs.includes("stale")
          ? "stale"
          : null,
    preferred: false,
    role,
    otherRoles,
    sync: null,
    extra: [
      ...(outOfSync.length === 0
        ? []
        : [{ text: named(outOfSync, word(lang, "outOfSync")), tone: "warn" as const }]),
      ...extra.map(({ names, line }) =>
        names.length === texts.length ? line : { ...line, text: named(names, line.text) },
      ),
    ],
  };
}

/** Equal lines as one, with the partitions that they are about. */
function grouped(
  lines: readonly { readonly partition: string; readonly line: GutterLine }[],
): { names: string[]; line: GutterLine }[] {
  const groups = new Map<string, { names: string[]; line: GutterLine }>();
  for (const { partition, line } of lines) {
    const group = groups.get(line.text);
    if (group === undefined) groups.set(line.text, { names: [partition], line });
    else group.names.push(partition);
  }
  return [...groups.values()];
}
