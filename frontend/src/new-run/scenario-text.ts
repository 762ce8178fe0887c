/** The text of a scenario file: the service validates it, and the page points at its lines. */

import { changed } from "./draft-document";

/** A small cluster to start from. */
export const SMALL_CLUSTER = `\
scenario: 1
id: my-run
title: My run
kafka: "3.9"
brokers: [1, 2, 3]
configs: {min.insync.replicas: 2}
topics:
  - name: t
    partitions:
      - replicas: [1, 2, 3]
        leader_epoch: 1
        logs:
          1: {log: "m1/0 m2/0 m3/0 x4/1 x5/1"}
          2: {log: "m1/0 m2/0 m3/0 x4/1"}
          3: {log: "m1/0 m2/0 m3/0"}
steps:
  - produce: {to: t-0, values: [m6], as: p1, acks: all}
  - fetch: {broker: 2}
`;

/** The small cluster with a title in the reader's language. */
export function smallCluster(title: string): string {
  return changed(SMALL_CLUSTER, [[["title"], title]]);
}

/** A text with normalized line endings, as the service counts them. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

const FOR_EDITORS = "# yaml-language-server: $schema=";

/** The text with a comment that tells editors its schema, unless it has one or is JSON. */
export function withSchemaComment(text: string, address: string): string {
  const isJson = text.trimStart().startsWith("{");
  return isJson || text.includes(FOR_EDITORS) ? text : `${FOR_EDITORS}${address}\n${text}`;
}

/** A word with its quotes, or a number, as it stands in YAML and JSON. */
const WORD = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s,:#{}[\]"']+)/;

/**
 * The text with one word replaced at a place (line and column, from 1); null if there is no word.
 * Quotes stay.
 */
export function repaired(
  text: string,
  line: number,
  column: number,
  repair: string,
): string | null {
  const { from } = rangeOf(text, line, column);
  const word = WORD.exec(text.slice(from))?.[0];
  if (word === undefined) return null;
  const quote = /^["']/.exec(word)?.[0] ?? "";
  return `${text.slice(0, from)}${quote}${repair}${quote}${text.slice(from + word.length)}`;
}

/** The selection for a place in a text: from the column, counted from 1, to the end of its line. */
export function rangeOf(
  text: string,
  line: number,
  column: number,
): { readonly from: number; readonly to: number } {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((length, one) => length + one.length + 1, 0);
  const length = lines[line - 1]?.length ?? 0;
  const from = Math.min(before + Math.min(column - 1, length), text.length);
  return { from, to: Math.min(before + length, text.length) };
}
