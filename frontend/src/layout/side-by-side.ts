/** Two stages next to each other: the same axis, and the same place for the rows of the same broker. */

import type { RowLayout } from "./replica-row";
import { offsetRange } from "./offset-axis";
import { brokersOf, layoutStage, type StageLayout } from "./stage";
import type { Shared, SharedRow, StageRequest } from "./stage-request";

/** From this number of brokers on, epochs are left out, so that both stages are visible at once. */
const WITHOUT_EPOCHS = 5;

/** Lays out one of two stages of the same width; `other` is the request of the other one. */
export function layoutBeside(own: StageRequest, other: StageRequest): StageLayout {
  const [here, there] = [own, other].map((one) =>
    brokersOf(one.frame, one.partition, one.order),
  ) as [number[], number[]];
  const common = sameOrder(here, there);
  const range = sharedRange(own, other);
  const detail = Math.max(here.length, there.length) >= WITHOUT_EPOCHS ? "withoutEpochs" : "all";
  const alone = (request: StageRequest, brokers: readonly number[]): StageLayout =>
    layoutStage({
      ...request,
      detail,
      brokers: [...common, ...brokers.filter((broker) => !common.includes(broker))],
      shared: { range, rows: new Map() },
    });
  const [one, two] = [alone(own, here), alone(other, there)];
  const rows = new Map(common.map((broker) => [broker, sharedRow(one, [one, two], broker)]));
  return layoutStage({
    ...own,
    detail,
    brokers: one.rows.map((row) => row.broker),
    shared: { range, rows },
  });
}

/** The brokers of both stages: in the order of both, or by their numbers if the orders differ. */
function sameOrder(here: readonly number[], there: readonly number[]): number[] {
  const [ours, theirs] = [
    here.filter((broker) => there.includes(broker)),
    there.filter((broker) => here.includes(broker)),
  ];
  return ours.every((broker, at) => broker === theirs[at]) ? ours : ours.sort((a, b) => a - b);
}

function sharedRange(own: StageRequest, other: StageRequest): NonNullable<Shared["range"]> {
  const [one, two] = [
    offsetRange(own.frame, own.partition),
    offsetRange(other.frame, other.partition),
  ];
  return { lowest: Math.min(one.lowest, two.lowest), highest: Math.max(one.highest, two.highest) };
}

/** The row of a broker in one of several layouts, if it has the same place in all of them. */
export function sharedRow(
  own: StageLayout,
  all: readonly StageLayout[],
  broker: number,
): SharedRow {
  const places = all.map((layout) => placed(layout, broker));
  const above = Math.max(...places.map((place) => place.above));
  return {
    gap: Math.max(...places.map((place) => place.gap)),
    lower: above - placed(own, broker).above,
    height: Math.max(...places.map((place) => place.height + above - place.above)),
  };
}

function placed(
  layout: StageLayout,
  broker: number,
): { readonly gap: number; readonly above: number; readonly height: number } {
  const at = layout.rows.findIndex((row) => row.broker === broker);
  const row = layout.rows[at] as RowLayout;
  const before = layout.rows[at - 1];
  return {
    gap: row.y - (before === undefined ? layout.axisHeight : before.y + before.height),
    above: row.cellY - row.y,
    height: row.height,
  };
}
