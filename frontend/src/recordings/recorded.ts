/** The values read on a real cluster, in the order and with the labels of the page. */

import type { Compared } from "../service/api";

/** The owner of a group of values. */
export type Group = { readonly broker: string } | "controller" | "clients";

export interface Row {
  readonly where: string;
  /** The name of its message. */
  readonly name: string;
  /** The number of the response, from 1; null if there is only one. */
  readonly number: number | null;
  readonly recorded: unknown;
  readonly engine: unknown;
  readonly standing: Compared["standing"];
}

export interface RowGroup {
  readonly of: Group;
  readonly rows: readonly Row[];
}

/** Greater than the number of any broker. */
const MAX_BROKER = 2 ** 31;
const OF_CLIENTS = [
  "consum",
  "list_offsets",
  "last_stable_offset",
  "fetched_read_committed",
  "aborted_transactions",
];

/** The values of a step, grouped by owner: brokers come first. */
export function grouped(compared: readonly Compared[]): RowGroup[] {
  const groups = new Map<number, { of: Group; rows: Row[] }>();
  for (const one of compared) {
    const of = groupOf(one.where);
    const key =
      of === "controller" ? MAX_BROKER : of === "clients" ? MAX_BROKER + 1 : Number(of.broker);
    const group = groups.get(key) ?? { of, rows: [] };
    group.rows.push(rowOf(one));
    groups.set(key, group);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function groupOf(where: string): Group {
  const [, broker] = /^saw\/brokers\/(\d+)\//.exec(where) ?? [];
  if (broker !== undefined) return { broker };
  const [first, second = ""] = where.split("/");
  if (first === "metadata_records") return "controller";
  return first === "saw" && !OF_CLIENTS.some((name) => second.startsWith(name))
    ? "controller"
    : "clients";
}

function rowOf({ where, recorded, engine, standing }: Compared): Row {
  const [first = "", ...rest] = where.split("/");
  const last = rest.at(-1);
  const name = first === "saw" || last === undefined ? (last ?? first) : `${first}_${last}`;
  const number = /^(?:produced|answers)\/(\d+)\//.exec(where)?.[1];
  return {
    where,
    name: `is_${name}`,
    number: number === undefined ? null : Number(number) + 1,
    recorded,
    engine,
    standing,
  };
}

/** A value as files and tools write it; null if there is none. */
export function written(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value))
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (value.length === 0) return null;
  if (value.every((one) => typeof one === "number")) return value.join(", ");
  if (!value.every(Array.isArray)) return JSON.stringify(value);
  const rows = value as readonly unknown[][];
  if (name === "is_log")
    return rows
      .map(
        ([offset, epoch, content, marker]) =>
          `${String(offset)}: ${String(content ?? marker)}${epoch === null ? "" : `/${String(epoch)}`}`,
      )
      .join("  ");
  if (rows.every((row) => row.length === 2 && row.every((one) => typeof one === "number")))
    return rows.map(([from, to]) => `${String(from)} → ${String(to)}`).join(", ");
  return rows
    .map(([offset, content, marker]) => `${String(offset)}: ${String(content ?? marker)}`)
    .join("  ");
}
