import { fireEvent, screen, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { render } from "../language/render-fixture";
import { runOf } from "../session/fixtures";
import type { Change, Frame } from "../trace";
import { frameAt, loss, storyStep } from "../trace/fixtures";
import Explanation from "./Explanation.svelte";
import { viewOf } from "./run-page-fixture";

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

function show(changes: readonly Change[], shown: Frame): void {
  const frame = { ...shown, frame: 0, parent: null, changes } as Frame;
  const view = viewOf(runOf([frame]));
  render(Explanation, { props: { view, frame } });
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
      Array.from({ length: 20 }, (_, number) => change(`t-${number}`, 1, 2)),
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

describe("several records lost in one step", () => {
  it("shows all of them alike", () => {
    const { events, ...rest } = frameAt(loss, 14);
    const lost = events.filter(({ kind }) => kind === "RecordLost");
    const frames = [
      { ...frameAt(loss, 12), frame: 0, parent: null, step: 0 },
      { ...frameAt(loss, 13), frame: 1, parent: 0, step: 1 },
      { ...rest, frame: 2, parent: 1, step: 1, headline: 0, events: [...lost, ...lost] },
    ] as Frame[];
    const story = [storyStep(0, 0, 0), storyStep(1, 1, 2)];
    const view = viewOf(runOf(frames, { at: 2, story }));
    const { container } = render(Explanation, {
      props: { view, frame: frameAt(frames, 2) },
    });

    const told = [...container.querySelectorAll(".telling, .others li")];

    expect(told).toHaveLength(2);
    expect(told.map((element) => element.classList.contains("loud"))).toEqual([true, true]);
  });
});
