import { describe, expect, it } from "vitest";

import { frameAt, repair } from "../trace/fixtures";
import { boundaryX } from "./offset-axis";
import { layoutStage } from "./stage";
import { stageRequest } from "./stage-request-fixture";

describe("the brackets of transactions", () => {
  const frame = frameAt(repair, 1);
  const replica = frame.state.replicas["t-0"]?.["1"];
  if (replica === undefined) throw new Error("no replica");
  const { axis } = layoutStage(stageRequest(frame));
  const rowOf = (shown: typeof replica) => {
    const layout = layoutStage(
      stageRequest({ ...frame, state: { ...frame.state, replicas: { "t-0": { "1": shown } } } }),
    );
    const row = layout.rows.find(({ broker }) => broker === 1);
    if (row === undefined) throw new Error("no row of broker 1");
    return row;
  };
  const transaction = (
    producer_id: number,
    first_offset: number,
    last_offset: number,
    outcome: "open" | "committed" | "aborted",
  ) => ({ producer_id, first_offset, last_offset, outcome });
  const withTransactions = (...transactions: ReturnType<typeof transaction>[]) =>
    rowOf({ ...replica, transactions });

  it("are bracketed while they are open and once they were aborted, from their first record to their last", () => {
    const row = withTransactions(
      transaction(0, 0, 1, "aborted"),
      transaction(1, 2, 2, "committed"),
      transaction(2, 3, 4, "open"),
    );

    expect(
      row.transactions.map(({ producer, outcome, line }) => [producer, outcome, line]),
    ).toEqual([
      [0, "aborted", 0],
      [2, "open", 0],
    ]);
    // Nothing in this log carries a producer's id: a bracket runs under its own records only.
    expect(row.transactions[1]).toMatchObject({
      runs: [],
      from: boundaryX(axis, 3) + 2,
      to: boundaryX(axis, 5) - 4,
    });
  });

  it("run under their own records, and not under others' between them", () => {
    const log = replica.log.map((record) =>
      record.offset === 1 ? record : { ...record, producer_id: 7, transactional: true as const },
    );
    const row = rowOf({ ...replica, log, transactions: [transaction(7, 0, 4, "open")] });

    expect(row.transactions[0]?.runs).toHaveLength(2);
  });

  it("stand on lines of their own where they meet, and below everything else of the row", () => {
    const [plain, row] = [
      withTransactions(),
      withTransactions(transaction(0, 0, 3, "open"), transaction(1, 1, 4, "open")),
    ];

    expect(row.transactions.map(({ line }) => line)).toEqual([0, 1]);
    expect(row.transactionsY).toBeGreaterThan(plain.below);
    expect(row.below).toBeGreaterThan(row.transactionsY + 24);
  });
});
