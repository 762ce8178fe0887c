/**
 * Everything that is drawn of a replica's row: one object, which keeps its identity while the row
 * is unchanged.
 */

import { keepIdentity } from "../../layout/stable-identity";
import type { CellLayout } from "../../layout/log-cells";
import type { RowLayout } from "../../layout/replica-row";
import { LABEL_SIZE, textWidth } from "../../layout/text";
import type { StageLayout } from "../../layout/stage";
import type { ColumnPlace } from "../../layout/stage-request";
import type { Lang } from "../../trace";
import { rowName } from "./broker-text";
import { layoutGutter, type GutterLayout } from "./gutter-layout";
import type { RowDifference, Selection } from "./stage-props";
import { describeCell, type GutterText } from "./row-text";
import { joined, word } from "./stage-texts";

/** The stage's properties that a row needs. */
export interface Surroundings extends Pick<
  StageLayout,
  "partition" | "width" | "narrow" | "low" | "detail" | "axis"
> {
  /** Null if the partition has the whole stage. */
  readonly column: Pick<ColumnPlace, "partitions" | "first"> | null;
  /** Whether messages have cards next to the log. */
  readonly cardsBeside: boolean;
}

export interface CellView {
  readonly cell: CellLayout;
  readonly description: string;
  /** With the broker's name, for screen readers. */
  readonly label: string;
  readonly selected: boolean;
  /** It differs from the run next to this one. */
  readonly differs: boolean;
  /** The one cell of its row that Tab reaches. */
  readonly tabStop: boolean;
  /** Its broker is down. */
  readonly down: boolean;
  /** Its key among all cells. */
  readonly name: string;
}

export interface RowView extends Pick<
  RowViewRequest,
  "row" | "on" | "gutter" | "filesOpen" | "hasFiles"
> {
  readonly place: GutterLayout;
  readonly cells: readonly CellView[];
  readonly ghosts: readonly CellView[];
  readonly selected: boolean;
  /** What differs from the run next to this one; null: nothing. */
  readonly difference: RowDifference | null;
}

export interface RowViewRequest {
  readonly row: RowLayout;
  readonly on: Surroundings;
  readonly gutter: GutterText;
  readonly selection: Selection | null;
  /** The offset of the last focused cell, if any. */
  readonly focused: number | undefined;
  readonly filesOpen: boolean;
  /** The broker has a replica of one of the partitions on the stage. */
  readonly hasFiles: boolean;
  readonly lang: Lang;
}

export function surroundingsOf({
  partition,
  width,
  narrow,
  low,
  detail,
  axis,
  cards,
  column,
}: StageLayout): Surroundings {
  return {
    partition,
    width,
    narrow,
    low,
    detail,
    axis,
    column,
    cardsBeside: cards[0]?.place === "side",
  };
}

/** The names of the followers whose log ends a leader does not know, as far as there is room; null if there is none. */
export function unseenLabel(
  { unseen, unseenX }: RowLayout,
  { width, cardsBeside }: Pick<Surroundings, "width" | "cardsBeside">,
  lang: Lang,
): string | null {
  const room = width - (cardsBeside ? 304 : 0) - unseenX;
  if (unseen.length === 0 || room <= 150) return null;
  const whole = word(lang, "notSeen", { brokers: unseen });
  return textWidth(whole, LABEL_SIZE) < room
    ? whole
    : word(lang, "notSeenShort", { brokers: unseen });
}

/** Returns the view of each row, reusing the previous object if the row is unchanged. */
export function rowViews(): (requests: readonly RowViewRequest[]) => readonly RowView[] {
  let known = new Map<number, { readonly request: RowViewRequest; readonly view: RowView }>();
  return (requests) => {
    const now: typeof known = new Map();
    for (const asked of requests) {
      const before = known.get(asked.row.broker);
      const request = before === undefined ? asked : keepIdentity(before.request, asked);
      now.set(
        asked.row.broker,
        before?.request === request
          ? before
          : { request, view: keepIdentity(before?.view, viewOf(request)) },
      );
    }
    known = now;
    return [...now.values()].map(({ view }) => view);
  };
}

function viewOf({
  row,
  on,
  gutter,
  selection,
  focused,
  filesOpen,
  hasFiles,
  lang,
}: RowViewRequest): RowView {
  const { replica } = row;
  const name = rowName(row.broker, { column: on.column, lang, partition: on.partition });
  const stop = row.cells.some((cell) => cell.record.offset === focused)
    ? focused
    : row.cells.at(-1)?.record.offset;
  const difference = differenceIn(selection, on.partition, row.broker);
  const told = (cell: CellLayout): CellView => {
    const differs = difference?.offsets.includes(cell.record.offset) ?? false;
    const said = replica === null ? "" : describeCell(cell, replica, lang);
    const description = differs ? joined(lang, [said, word(lang, "differsBeside")], "comma") : said;
    return {
      cell,
      description,
      differs,
      label: joined(lang, [name, description], "colon"),
      selected: isSelected(selection, on.partition, row.broker, cell),
      tabStop: cell.record.offset === stop,
      down: row.down,
      name: `${row.broker}/${cell.record.offset}`,
    };
  };
  return {
    row,
    on,
    gutter,
    place: layoutGutter(row, gutter, on),
    cells: row.cells.map(told),
    ghosts: row.ghosts.map(told),
    selected: selection?.kind === "broker" && selection.broker === row.broker,
    filesOpen,
    difference,
    hasFiles,
  };
}

/** The part of a selection that concerns a row; null if there is none. */
export function selectionIn(selection: Selection | null, broker: number): Selection | null {
  if (selection?.kind === "record" || selection?.kind === "broker")
    return selection.broker === broker ? selection : null;
  if (selection?.kind === "offsets") return selection.replicas.includes(broker) ? selection : null;
  if (selection?.kind === "differences")
    return selection.rows.some((row) => row.broker === broker) ? selection : null;
  return null;
}

function differenceIn(
  selection: Selection | null,
  partition: string,
  broker: number,
): RowDifference | null {
  if (selection?.kind !== "differences" || selection.partition !== partition) return null;
  return selection.rows.find((row) => row.broker === broker) ?? null;
}

function isSelected(
  selection: Selection | null,
  partition: string,
  broker: number,
  { record }: CellLayout,
): boolean {
  if (selection?.kind === "record")
    return (
      selection.broker === broker &&
      selection.offset === record.offset &&
      selection.partition === partition
    );
  if (selection?.kind === "offsets") {
    const { ids, offsets, replicas } = selection;
    return (
      selection.partition === partition &&
      replicas.includes(broker) &&
      offsets.includes(record.offset) &&
      (ids === null || ids.includes(record.id))
    );
  }
  return false;
}
