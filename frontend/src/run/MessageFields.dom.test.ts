import { screen, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { render } from "../language/render-fixture";
import { runOf } from "../session/fixtures";
import type { Frame } from "../trace";
import { frameAt, loss } from "../trace/fixtures";
import MessageFields from "./MessageFields.svelte";
import { viewOf } from "./run-page-fixture";

const numbers = {
  fetch_offset: 2,
  leader_epoch: 0,
  last_fetched_epoch: null,
  max_wait_ms: 500,
  unknown: 7,
};
const fetch = { kind: "fetch_request", from: 1, to: 2, partition: "t-0", numbers };

/** The second frame sends a fetch, and the third has it in flight or delivers it. */
function framesWith(fate: "arrived" | null): Frame[] {
  const shown = frameAt(loss, 2);
  const still = { ...shown, state: { ...shown.state, in_flight: [] } };
  const at = (frame: number, more: Partial<Frame>): Frame =>
    ({ ...still, frame, parent: frame === 0 ? null : frame - 1, moves: [], ...more }) as Frame;
  const flying = {
    ...still.state,
    in_flight: [{ ...fetch, id: 9, held: true, parked: false, deliverable: true }],
  } as unknown as Frame["state"];
  const sent = [{ id: 9, fate: "sent", time_ms: 0, message: { ...fetch, offsets: [2] } }];
  return [
    at(0, {}),
    at(1, { moves: sent as unknown as Frame["moves"], state: flying }),
    fate === null
      ? at(2, { state: flying })
      : at(2, { moves: [{ id: 9, fate, time_ms: 0 }] as unknown as Frame["moves"] }),
  ];
}

function show(frames: Frame[], selected: number | null | "none" = null): HTMLDetailsElement {
  const view = viewOf(runOf(frames, { at: selected === null ? 1 : 2 }));
  if (typeof selected === "number") view.select({ kind: "message", id: selected });
  if (selected === null) view.player.openMessage(2);
  render(MessageFields, { props: { view, frame: frameAt(frames, 2) } });
  return screen.getByRole("group");
}

describe("the fields of a message", () => {
  it("are those that it was sent with, when it arrives", () => {
    const shown = show(framesWith("arrived"));

    expect(shown.open).toBe(true);
    expect(shown).toHaveTextContent("1 → 2 · arrived");
    expect(within(shown).getByRole("link", { name: "leader epoch" })).toHaveAttribute(
      "href",
      "/glossary#leader-epoch",
    );
    expect([...shown.querySelectorAll("dd")].map((value) => value.textContent)).toEqual([
      "2",
      "0",
      "500 ms",
    ]);
    // The release has no such field.
    expect(shown).not.toHaveTextContent("last fetched epoch");
  });

  it("stand above why no message comes twice, and what does", () => {
    show(framesWith("arrived"));

    expect(screen.getByText(/brokers use TCP/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Watch a record being duplicated" })).toHaveAttribute(
      "href",
      "/lessons/retry-duplicates",
    );
  });

  it("are closed while it is in flight, until it is selected", () => {
    const closed = show(framesWith(null), "none");
    expect(closed).toHaveTextContent("in flight");
    expect(closed.open).toBe(false);
    document.body.innerHTML = "";

    expect(show(framesWith(null), 9).open).toBe(true);
  });
});
