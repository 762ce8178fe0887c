import { fireEvent, screen, within } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { describe, expect, it } from "vitest";

import { render } from "../language/render-fixture";
import type { Change, Frame } from "../trace";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import EventExplanation from "./EventExplanation.svelte";

const nothing = createRawSnippet(() => ({ render: () => "<span></span>" }));

function change(partition: string, before: number, after: number): Change {
  return { what: "leader", partition, broker: null, subject: null, before, after } as Change;
}

function explain(changes: readonly Change[], partitions: readonly string[]): void {
  const { state, ...rest } = frameAt(loss, 2);
  const [known] = Object.values(state.partitions);
  show(changes, {
    ...rest,
    state: { ...state, partitions: Object.fromEntries(partitions.map((name) => [name, known])) },
  } as Frame);
}

function show(changes: readonly Change[], frame: Frame): void {
  render(EventExplanation, {
    props: {
      frame,
      changes,
      position: "Step 2",
      summary: null,
      several: false,
      toldAbove: false,
      steps: 3,
      catalogue,
      depthOf: () => 0,
      author: [],
      writtenFor: null,
      sourceAddresses: {},
      messages: nothing,
      ending: nothing,
      children: nothing,
      onjump: () => undefined,
      onselect: () => undefined,
    },
  });
}

const rows = () =>
  within(screen.getByRole("table"))
    .getAllByRole("row")
    .map((row) => row.querySelector("th")?.textContent);

describe("what changed", () => {
  it("names the partition if there are several", () => {
    explain([change("t-0", 1, 2), change("t-1", 1, 3)], ["t-0", "t-1"]);

    expect(rows()).toEqual(["leader · t-0", "leader · t-1"]);
  });

  it("does not name the only one", () => {
    explain([change("t-0", 1, 2)], ["t-0"]);

    expect(rows()).toEqual(["leader"]);
  });

  it("says how many changes there are if it does not show all, and shows them", async () => {
    explain(
      Array.from({ length: 20 }, (_, number) => change(`t-${String(number)}`, 1, 2)),
      ["t-0", "t-1"],
    );
    expect(rows()).toHaveLength(12);

    await fireEvent.click(screen.getByRole("button", { name: "Show all (20)" }));

    expect(rows()).toHaveLength(20);
  });
});

describe("a headline without a rule", () => {
  it("is explained by the event that the frame names as its cause", () => {
    const frame = frameAt(loss, 2);
    const [event] = frame.events;
    const of = (...sources: string[]) => ({ ...event, sources }) as Frame["events"][number];

    show([], {
      ...frame,
      events: [of("AbstractFetcherThread"), of("LeaderEpochFileCache"), of()],
      headline: 2,
      cause: 0,
    });

    expect(document.body.textContent).toContain("AbstractFetcherThread");
    expect(document.body.textContent).not.toContain("LeaderEpochFileCache");
  });
});
