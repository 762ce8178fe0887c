import { fireEvent, screen, within } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { describe, expect, it, vi } from "vitest";

import { render } from "../../language/render-fixture";
import type { Frame } from "../../trace";
import { catalogue } from "../../trace/fixtures";
import { twoPartitions } from "../../trace/fixtures/two-partitions";
import { brokerText } from "./broker-text";
import Stage from "./Stage.svelte";
import type { StageProps } from "./stage-props";

function show(props: Partial<StageProps> = {}) {
  return render(Stage, {
    props: {
      frame: twoPartitions(),
      previous: null,
      catalogue,
      depthOf: (frame: number) => frame,
      onselect: () => undefined,
      ...props,
    },
  });
}

/** A frame whose event is about this partition. */
function about(partition: string): Frame {
  const frame = twoPartitions();
  return { ...frame, events: [{ ...frame.events[0], numbers: { partition } }] } as unknown as Frame;
}

const head = (partition: string) =>
  within(screen.getByRole("group", { name: "Partitions" })).getByRole("button", {
    name: partition,
  });

describe("partitions side by side", () => {
  it("each have a head with the controller's decisions, their records and a table", () => {
    show();

    expect(screen.queryByRole("tab")).toBeNull();
    expect(head("t-0").parentElement).toHaveTextContent(
      /leader 1 leader epoch 2 .*ISR \{1, 2\} znode version/,
    );
    expect(head("t-1").parentElement).toHaveTextContent(/leader 3.*ISR \{3\}/);
    expect(screen.getByRole("button", { name: /^Broker 1, t-0: m1, offset 0/ })).toBeVisible();
    expect(screen.getByRole("button", { name: /^Broker 3, t-1: xm1, offset 0/ })).toBeVisible();
    expect(screen.getByRole("table", { name: "Table of the replicas of t-0" })).toBeInTheDocument();
    expect(screen.getByRole("table", { name: "Table of the replicas of t-1" })).toBeInTheDocument();
  });

  it("name each broker once, with its role in each partition, and say where it has no replica", () => {
    show();

    expect(
      screen
        .getAllByRole("button", { name: /^Broker \d, (t-\d|down)/, pressed: false })
        .filter((one) => one.hasAttribute("data-broker")),
    ).toHaveLength(3);
    expect(screen.getByRole("button", { name: /^Broker 1, t-0 leader · epoch 2/ })).toBeVisible();
    expect(screen.getByRole("button", { name: /^Broker 2, .*t-1 out of sync/ })).toBeVisible();
    expect(screen.getAllByText("no replica of t-1 here")).toHaveLength(1);
    expect(screen.getAllByText("no replica of t-0 here")).toHaveLength(1);
  });

  it("give way to tabs on a stage that is only a part of a page", () => {
    show({ compact: true });

    expect(screen.getAllByRole("tab")).toHaveLength(2);
    expect(screen.queryByRole("button", { name: /xm1/ })).toBeNull();
  });

  it("are made active by what is used in them, until a step is about a partition", async () => {
    const shown = show({ frame: about("t-0") });
    expect(head("t-0")).toHaveAttribute("aria-pressed", "true");

    await fireEvent.focusIn(screen.getByRole("button", { name: /^Broker 3, t-1: xm1/ }));
    expect(head("t-1")).toHaveAttribute("aria-pressed", "true");
    expect(head("t-0")).toHaveAttribute("aria-pressed", "false");

    await fireEvent.click(head("t-0"));
    expect(head("t-0")).toHaveAttribute("aria-pressed", "true");

    await shown.rerender({ frame: about("t-1") });
    expect(head("t-1")).toHaveAttribute("aria-pressed", "true");
  });

  it("stay as active as they were when a broker's row is used, which is about all of them", async () => {
    const shown = show({
      frame: about("t-1"),
      actions: createRawSnippet(() => ({ render: () => "<button>Crash</button>" })),
      selection: { kind: "broker", broker: 1 },
    });
    const logs = shown.container.querySelector(".logs") ?? expect.fail();

    await fireEvent.focusIn(screen.getByRole("button", { name: /^Broker 1, t-0 leader/ }));
    await fireEvent.focusIn(
      screen.getByRole("button", { name: "Show the checkpoint files of broker 1" }),
    );
    await fireEvent.pointerDown(screen.getByRole("button", { name: "Crash" }), { clientX: 300 });
    expect(head("t-1")).toHaveAttribute("aria-pressed", "true");

    await fireEvent.pointerDown(logs, { clientX: 300 });
    expect(head("t-0")).toHaveAttribute("aria-pressed", "true");
  });

  it("are next to each other for arrow keys", async () => {
    show();
    const last = screen.getByRole("button", { name: /^Broker 2, t-0: m5/ });
    last.focus();

    await fireEvent.keyDown(last, { key: "ArrowRight" });
    expect(document.activeElement).toHaveAccessibleName(/^Broker 2, t-1: xm1/);
    await fireEvent.keyDown(document.activeElement ?? last, { key: "ArrowLeft" });
    expect(document.activeElement).toHaveAccessibleName(/^Broker 2, t-0: m5/);
    await fireEvent.keyDown(document.activeElement ?? last, { key: "ArrowUp" });
    expect(document.activeElement).toHaveAccessibleName(/^Broker 1, t-0: x5/);
  });

  it("select records of their own partition", async () => {
    const onselect = vi.fn();
    show({ onselect });

    await fireEvent.click(screen.getByRole("button", { name: /^Broker 3, t-1: xm2/ }));

    expect(onselect).toHaveBeenCalledWith(
      expect.objectContaining({ kind: "record", partition: "t-1", broker: 3, offset: 1 }),
    );
  });
});

describe("the texts of a broker next to columns", () => {
  const text = (broker: number, frame = twoPartitions()) =>
    brokerText(broker, {
      frame,
      partition: "t-0",
      column: { partitions: ["t-0", "t-1"], first: true },
      lang: "en",
      depthOf: (at) => at,
    });

  it("have one line for a role that is the same in several partitions", () => {
    const { role, otherRoles } = text(2);

    expect([role, ...(otherRoles ?? [])].map((line) => line.text)).toEqual([
      "t-0 · t-1 follower · truncating",
    ]);
  });

  it("have a line for each other role, and the crown of one that leads", () => {
    const frame = twoPartitions();
    const replicas = frame.state.replicas;
    const led = {
      ...frame,
      state: {
        ...frame.state,
        partitions: {
          ...frame.state.partitions,
          "t-1": { ...frame.state.partitions["t-1"], leader: 2 },
        },
        replicas: {
          ...replicas,
          "t-1": { ...replicas["t-1"], "2": { ...replicas["t-1"]?.["3"], broker: 2 } },
        },
      },
    } as unknown as Frame;
    const { role, otherRoles, glyph } = text(2, led);

    expect(glyph).toBe("crown");
    expect([role, ...(otherRoles ?? [])].map((line) => line.text)).toEqual([
      "t-0 follower · truncating",
      expect.stringMatching(/^t-1 leader · epoch/),
    ]);
  });
});
