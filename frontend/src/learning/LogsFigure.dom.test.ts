import { screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { render } from "../language/render-fixture";
import type { Frame } from "../trace";
import LogsFigure from "./LogsFigure.svelte";
import type { StagePart } from "./logs-figure";

const replica = (...values: string[]) => ({
  broker_state: "active",
  log: values.map((value, offset) => ({ id: value, value, offset, epoch: 0 })),
  log_start_offset: 0,
  log_end_offset: values.length,
  high_watermark: 0,
  checkpoints: {},
});

/** Three brokers; the third copies m1 from the first. */
const frame = {
  events: [
    { kind: "FetchSent", numbers: { partition: "t-0", broker: 3, leader: 1, fetch_offset: 0 } },
    { kind: "FetchApplied", numbers: { partition: "t-0", broker: 3, values: ["m1"] } },
  ],
  state: {
    partitions: { "t-0": { leader: 1, leader_epoch: 0, replicas: [1, 2, 3], isr: [1, 3] } },
    replicas: { "t-0": { 1: replica("m1"), 2: replica(), 3: replica("m1") } },
    clients: { produced: [] },
  },
} as unknown as Frame;

function show(parts: readonly StagePart[] | null): HTMLElement {
  render(LogsFigure, {
    props: { frames: [frame], frame, partition: "t-0", label: "The logs", parts },
  });
  return screen.getByRole("img");
}

describe("the figure of the simple view", () => {
  it("draws the exchange between two rows with another between them, behind the rows", () => {
    const figure = show([]);

    const arrows = [...figure.querySelectorAll(".ask")];
    expect(arrows).toHaveLength(2);
    const [asks, answers] = arrows.map((one) => {
      const [, from, to] = /M\S+ (\S+)V([\d.]+)/.exec(one.getAttribute("d") ?? "") ?? [];
      return { from: Number(from), to: Number(to) };
    });
    const top = (value: number) =>
      Number(figure.querySelectorAll(".hw-cell")[value]?.getAttribute("y"));
    expect([asks?.to, asks?.from]).toEqual([answers?.from, answers?.to]);
    expect(answers?.from).toBeLessThan(top(1));
    expect((answers?.to ?? 0) - (answers?.from ?? 0)).toBeGreaterThan(100);
    expect(answers?.to).toBeLessThan(top(1));
    const cell = figure.querySelector(".hw-cell");
    expect(cell && arrows[0]?.compareDocumentPosition(cell)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("says in words what it draws, and no more", () => {
    expect(show([]).getAttribute("aria-label")).toBe(
      "The logs. Broker 1 (leader): m1. Broker 2 (follower): empty. Broker 3 (follower): m1. " +
        "Broker 3 asks broker 1: “anything for me?” Broker 1 answers: “yes: m1”",
    );
  });

  it("says the parts that the reader knows of", () => {
    expect(show(["offsets", "log_end", "isr"]).getAttribute("aria-label")).toBe(
      "The logs. Broker 1 (leader · ISR): m1 · 0, LEO 1. Broker 2 (follower): empty, LEO 0. " +
        "Broker 3 (follower · ISR): m1 · 0, LEO 1. " +
        "Broker 3 asks broker 1: “anything from 0?” Broker 1 answers: “yes: m1”",
    );
  });
});

describe("any other figure", () => {
  it("keeps its label, and draws no exchange", () => {
    const figure = show(null);

    expect(figure.getAttribute("aria-label")).toBe("The logs");
    expect(figure.querySelectorAll(".ask")).toHaveLength(0);
  });
});
