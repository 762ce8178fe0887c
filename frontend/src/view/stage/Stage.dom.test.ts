import { fireEvent, screen, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { renderIn } from "../../language/render-fixture";
import type { Frame } from "../../trace";
import { catalogue, frameAt, loss, repair } from "../../trace/fixtures";
import { CROWN } from "./glyphs";
import Stage from "./Stage.svelte";
import type { StageProps } from "./stage-props";

function show(props: Partial<StageProps> & Pick<StageProps, "frame">, lang = "en") {
  return renderIn(lang)(Stage, {
    props: {
      previous: null,
      catalogue,
      depthOf: (frame: number) => frame,
      onselect: () => undefined,
      ...props,
    },
  });
}

/** The note of a chip, whose parts are separate elements. */
function noted(text: string): HTMLElement {
  return screen.getByText(
    (_, element) => element?.classList.contains("note") === true && element.textContent === text,
  );
}

describe("the stage", () => {
  it("says of every record where it is, in which epoch and whether it is committed", () => {
    show({ frame: frameAt(repair, 1) });

    expect(
      screen.getByRole("button", {
        name: "Broker 1: m1, offset 0, epoch 0, below the high watermark, flushed",
      }),
    ).toBeVisible();
    expect(
      screen.getByRole("button", {
        name: "Broker 2: m4, offset 3, epoch 0, above the high watermark, flushed, diverges from the leader",
      }),
    ).toBeVisible();
  });

  it("says of every broker what it is, and since which step it is down", () => {
    show({ frame: frameAt(repair, 1), depthOf: (frame) => frame - 2 });

    expect(
      screen.getByRole("button", { name: "Broker 1, leader · epoch 2, in sync, preferred leader" }),
    ).toBeVisible();
    expect(
      screen.getByRole("button", { name: "Broker 3, down since step 17, not detected, in sync" }),
    ).toBeVisible();
  });

  it("hands out a message's actions in scenario-file syntax", async () => {
    const onaction = vi.fn();
    show({ frame: frameAt(repair, 1), onaction });
    const inbox = screen.getByRole("list", { name: "Messages to Broker 2" });

    await fireEvent.click(
      within(inbox).getByRole("button", { name: /^Deliver: response: epoch 0 ends at 3/ }),
    );

    expect(onaction).toHaveBeenCalledWith({
      deliver: { kind: "offsets_for_leader_epoch_response", from: 1, to: 2, partition: "t-0" },
    });
  });

  it("offers of the steps on a message only the possible ones, if these are given", async () => {
    const onaction = vi.fn();
    const step = { drop: { kind: "offsets_for_leader_epoch_response", from: 1, to: 2 } };
    show({ frame: frameAt(repair, 1), onaction, possible: [step, { crash: { broker: 1 } }] });
    const inbox = screen.getByRole("list", { name: "Messages to Broker 2" });

    expect(within(inbox).getAllByRole("button")).toHaveLength(1);
    await fireEvent.click(within(inbox).getByRole("button", { name: /^Drop/ }));

    expect(onaction).toHaveBeenCalledWith(step);
  });

  it("offers nothing to do when it is read only", () => {
    show({ frame: frameAt(repair, 1), readOnly: true });

    expect(screen.queryByRole("button", { name: /^Deliver/ })).toBeNull();
  });

  it("keeps an acknowledged and lost record, with the steps of both", () => {
    show({ frame: frameAt(loss, -1) });

    expect(
      noted("acknowledged at step 7 · lost at step 13 · last copy lost at step 14"),
    ).toBeVisible();
  });

  it("shows a record at risk in amber, and what took itself back as it was", () => {
    const produced = frameAt(loss, 12).state.clients.produced;
    const withFate = (fate: "safe" | "at_risk" | "lost") => {
      const frame = structuredClone(frameAt(loss, 12)) as unknown as {
        state: { clients: { produced: unknown[] } };
      };
      frame.state.clients.produced = produced.map((record) => ({
        ...record,
        fate,
        fate_frame: 11,
      }));
      return frame as unknown as Frame;
    };

    const { unmount } = show({ frame: withFate("at_risk") });
    expect(noted("acknowledged at step 7 · at risk from step 11").closest(".chip")).toHaveClass(
      "warn",
    );
    unmount();
    show({ frame: withFate("lost") });
    expect(noted("acknowledged at step 7 · lost at step 11").closest(".chip")).toHaveClass("bad");
  });

  it("names a violated property as what happened, with a link to its evidence", async () => {
    const onjump = vi.fn();
    show({ frame: frameAt(loss, -1), onjump });
    const strip = screen.getByRole("list", { name: "Properties" });

    expect(within(strip).getByText("An acknowledged record is lost")).toBeVisible();
    await fireEvent.click(within(strip).getByRole("button", { name: /m2, acked at step 7/ }));

    expect(onjump).toHaveBeenCalledWith(7);
  });

  it("has a table that says the same", () => {
    show({ frame: frameAt(repair, 1) });
    const table = screen.getByRole("table", { name: "Table of the replicas of t-0" });

    expect(
      within(table).getByRole("row", {
        name: /Broker 1 leader · epoch 2 in sync m1\/0 m2\/0 m3\/0 x4\/2 x5\/2 5 3 3 \{0 → 0, 2 → 3\}/,
      }),
    ).toBeInTheDocument();
  });

  it("moves from cell to cell by arrow keys, and chooses by Enter", async () => {
    const onselect = vi.fn();
    show({ frame: frameAt(repair, 1), onselect });
    const cell = screen.getByRole("button", { name: /^Broker 1: x5/ });

    cell.focus();
    await fireEvent.keyDown(cell, { key: "ArrowDown" });
    expect(document.activeElement).toHaveAccessibleName(/^Broker 2: m5/);
    await fireEvent.keyDown(document.activeElement ?? cell, { key: "Enter" });

    expect(onselect).toHaveBeenCalledWith({
      kind: "record",
      partition: "t-0",
      broker: 2,
      offset: 4,
      id: "r5",
    });
  });

  it("keeps the focused cell a tab stop while records arrive after it", async () => {
    const frame = frameAt(repair, 1);
    const replica = frame.state.replicas["t-0"]?.["1"];
    const withRecords = (count: number) => {
      const changed = structuredClone(frame);
      const log = replica?.log.slice(0, count);
      Object.assign(changed.state.replicas["t-0"]?.["1"] ?? {}, { log, log_end_offset: count });
      return changed;
    };
    const cells = () => screen.getAllByRole("button", { name: /^Broker 1: / });
    const { rerender } = show({ frame: withRecords(1) });
    expect(cells().map(({ tabIndex }) => tabIndex)).toEqual([0]);

    cells()[0]?.focus();
    await rerender({ frame: withRecords(2) });

    expect(cells().map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  });

  it("opens the menu of what is already selected by Enter, and ends the selection by the space bar", async () => {
    const onselect = vi.fn();
    const onmenu = vi.fn();
    const record = { kind: "record", partition: "t-0", broker: 2, offset: 4, id: "r5" } as const;
    const shown = show({
      frame: frameAt(repair, 1),
      onselect,
      onmenu,
      selection: { kind: "broker", broker: 1 },
    });
    const broker = screen.getByRole("button", { name: /^Broker 1, leader/ });

    await fireEvent.keyDown(broker, { key: "Enter" });
    expect(onmenu).toHaveBeenLastCalledWith({ kind: "broker", broker: 1 }, { x: 0, y: 0 });
    expect(onselect).not.toHaveBeenCalled();
    await fireEvent.keyDown(broker, { key: " " });
    expect(onselect).toHaveBeenLastCalledWith(null);

    await shown.rerender({ selection: record });
    await fireEvent.keyDown(broker, { key: "Enter" });
    expect(onselect).toHaveBeenLastCalledWith({ kind: "broker", broker: 1 });
    await fireEvent.keyDown(screen.getByRole("button", { name: /^Broker 2: m5/ }), {
      key: "Enter",
    });

    expect(onmenu).toHaveBeenLastCalledWith(record, { x: 0, y: 0 });
    expect(onmenu).toHaveBeenCalledTimes(2);
  });

  it("opens no menu by an Enter key that is held down, or where no action is allowed", async () => {
    const onselect = vi.fn();
    const onmenu = vi.fn();
    const shown = show({
      frame: frameAt(repair, 1),
      onselect,
      onmenu,
      selection: { kind: "broker", broker: 1 },
    });
    const broker = screen.getByRole("button", { name: /^Broker 1, leader/ });

    await fireEvent.keyDown(broker, { key: "Enter", repeat: true });
    expect(onselect).not.toHaveBeenCalled();
    await shown.rerender({ readOnly: true });
    await fireEvent.keyDown(broker, { key: "Enter" });

    expect(onselect).toHaveBeenCalledWith(null);
    expect(onmenu).not.toHaveBeenCalled();
  });

  it("draws a leader that was deposed without knowing it with the outline of a crown, and says so", async () => {
    const led = frameAt(repair, 1);
    const partitions = {
      "t-0": { ...led.state.partitions["t-0"], leader: 2 },
    } as typeof led.state.partitions;
    const onjump = vi.fn();
    const { container } = show({
      frame: { ...led, state: { ...led.state, partitions } },
      onjump,
      staleSince: (_, broker) => 10 + broker,
    });

    expect(
      screen.getByRole("button", { name: /^Broker 1, still leader · epoch 2\?, in sync/ }),
    ).toBeVisible();
    const crown = container.querySelector(`path[d="${CROWN}"]`);
    expect(crown).toHaveClass("hw-stroke-warn", "hw-dashed");
    expect(crown).not.toHaveClass("hw-crown");
    expect(screen.getByText("Broker 1 still believes that it leads t-0")).toBeVisible();
    await fireEvent.click(screen.getByRole("button", { name: /^since step 11/ }));

    expect(onjump).toHaveBeenCalledWith(11);
  });

  it("lets an acknowledgement depart to the chip of its record, but not while frames pass fast", () => {
    const of = (hurried: boolean) => ({ hurried, glances: 0 });
    const paces = (hurried: boolean) => ({
      logs: of(hurried),
      lanes: of(hurried),
      table: of(hurried),
    });
    const acknowledged = { frame: frameAt(loss, 7), previous: frameAt(loss, 6) };
    const { container, unmount } = show(acknowledged);

    expect(container.querySelectorAll(".hw-acknowledgement")).toHaveLength(1);
    expect(container.querySelector(".hw-acknowledgement")).toHaveClass("hw-acknowledges");
    expect(container.querySelector("[data-requests='1']")).toHaveTextContent("m2");
    unmount();

    expect(
      show({ ...acknowledged, paces: paces(true) }).container.querySelector(".hw-acknowledgement"),
    ).toBeNull();
  });

  it("lets an acknowledgement wait for its record if that has only just arrived", () => {
    const { container } = show({ frame: { ...frameAt(loss, 7) }, previous: frameAt(loss, 4) });

    expect(container.querySelector(".hw-acknowledgement")).toHaveClass("hw-acknowledges-then");
  });

  it("speaks Chinese, and leaves Kafka's words as they are", () => {
    show({ frame: frameAt(repair, 1) }, "zh");

    expect(
      screen.getByRole("button", { name: "Broker 3，自第 19 步起停机，尚未被检测到，同步" }),
    ).toBeVisible();
  });

  it("has a chip for each request, also where a retry that is recognised has the record's id again", () => {
    const frame = frameAt(loss, -1);
    const produced = frame.state.clients.produced;
    const again = produced
      .slice(0, 1)
      .map((record) => ({ ...record, outcome: "no_answer" as const }));
    const retried = {
      ...frame,
      state: {
        ...frame.state,
        clients: { ...frame.state.clients, produced: [...produced, ...again] },
      },
    };
    show({ frame: retried, onjump: () => undefined });

    expect(
      within(screen.getByRole("region", { name: /^Producer/ })).getAllByRole("button"),
    ).toHaveLength(produced.length + 1);
    expect(screen.getByText("no response")).toBeVisible();
  });

  it("folds the middle of a long log, says how much, and shows it when asked", async () => {
    const frame = frameAt(repair, 1);
    const replica = frame.state.replicas["t-0"]?.["1"];
    const log = Array.from({ length: 60 }, (_, offset) => ({
      offset,
      epoch: 0,
      value: `v${offset}`,
      id: `r${offset}`,
    }));
    const long = {
      ...replica,
      log,
      log_end_offset: 60,
      high_watermark: 60,
      epoch_cache: [[0, 0]],
      followers: {},
      diverging_offsets: [],
    };
    show({
      frame: {
        ...frame,
        events: [],
        state: { ...frame.state, replicas: { "t-0": { "1": long } } },
      } as unknown as typeof frame,
    });

    const fold = screen.getByRole("button", { name: /^Show the \d+ hidden offsets/ });
    const hidden = Number(/\d+/.exec(fold.getAttribute("aria-label") ?? "")?.[0]);
    expect(hidden + screen.getAllByRole("button", { name: /^Broker 1: v/ }).length).toBe(60);
    expect(screen.getByRole("table")).toHaveTextContent(`(${hidden} more, offsets`);
    expect(screen.getByText(`⋯ ${hidden}`)).toBeInTheDocument();

    await fireEvent.click(fold);
    expect(screen.queryByRole("button", { name: /hidden offsets/ })).toBeNull();
    expect(screen.getByRole("table")).toHaveTextContent("v30/0");

    await fireEvent.click(screen.getByRole("button", { name: "Hide again" }));
    expect(screen.getByRole("button", { name: /hidden offsets/ })).toBeInTheDocument();
  });

  it("lives on when one panel cannot be drawn", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const frame = frameAt(loss, -1);
    const spoilt = {
      ...frame,
      state: { ...frame.state, clients: { ...frame.state.clients, consumed: null } },
    } as unknown as typeof frame;
    const shown = show({ frame: frameAt(loss, 1) });

    await shown.rerender({ frame: spoilt });

    expect(screen.getByRole("alert")).toHaveTextContent("Cannot show the clients");
    expect(screen.getByRole("table", { name: "Table of the replicas of t-0" })).toBeInTheDocument();
    expect(screen.getByRole("list", { name: "Properties" })).toBeVisible();
    await shown.rerender({ frame });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("draws every frame of a run without an error", () => {
    for (const frame of loss) show({ frame, previous: loss[frame.frame - 1] ?? null }).unmount();
  });
});
