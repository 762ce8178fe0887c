import { cleanup, fireEvent, screen, waitFor } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { describe, expect, it } from "vitest";

import { runOf } from "../session/fixtures";
import { render } from "../language/render-fixture";
import type { AskedQuestion } from "../service/api";
import { Player } from "../session/player.svelte";
import type { Frame, Produced, Property, StoryStep } from "../trace";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import PresentView from "./PresentView.svelte";
import { reassigned, rowNames, withRoom } from "./reassigned-fixture";

const asked: AskedQuestion = {
  key: "7",
  text: { en: "What next?" },
  answers: [{ en: "It keeps m2." }, { en: "It truncates." }],
  correct: 1,
  reasons: null,
};

function present(
  frame: Frame,
  question: AskedQuestion | null = null,
  notes: readonly string[] = [],
): void {
  // The test's document has no full screen.
  Object.assign(document, { exitFullscreen: () => Promise.resolve() });
  // A stored run has no followers, so nothing is requested.
  const run = runOf(loss, { at: 14 });
  const caption = createRawSnippet(() => ({ render: () => "<span>m2 is lost.</span>" }));
  render(PresentView, {
    props: {
      player: new Player(run),
      frame,
      previous: null,
      whole: false,
      question,
      notes,
      title: "A record vanishes",
      catalogue,
      onward: () => undefined,
      onleave: () => undefined,
      caption,
    },
  });
}

describe("the outcome in a presentation", () => {
  it("is a loss also if Kafka did not promise to keep the record", () => {
    const end = frameAt(loss, -1);
    const produced = end.state.clients.produced.map((record): Produced =>
      record.value === "m2" ? { ...record, acks: 1, fate: "lost" } : record,
    );
    const holds = { status: "holds", first_frame: null, evidence: {} } as unknown as Property;

    present({
      ...end,
      properties: { ...end.properties, NoAckedRecordLost: holds },
      state: { ...end.state, clients: { ...end.state.clients, produced } },
    });

    expect(screen.getByText("m2 is lost (acks=1)")).toHaveClass("bad");
    expect(screen.queryByText("No acknowledged record is lost")).toBeNull();
  });

  it("is otherwise that nothing is lost", () => {
    present(frameAt(loss, 8));

    expect(screen.getByText("No acknowledged record is lost")).toHaveClass("good");
  });
});

describe("the acks in a presentation", () => {
  it("are those that producers have used, so none before a record was produced", () => {
    present(frameAt(loss, 0));
    expect(screen.getByText("Kafka 0.10.2")).toBeInTheDocument();

    cleanup();
    present(frameAt(loss, -1));
    expect(screen.getByText("Kafka 0.10.2, acks=all")).toBeInTheDocument();
  });
});

describe("a note at a question", () => {
  it("is shown once the answers are revealed", async () => {
    present(frameAt(loss, 8), asked, ["It asks nobody."]);
    expect(screen.queryByText("It asks nobody.")).toBeNull();

    await fireEvent.keyDown(window, { key: "v" });

    expect(screen.getByText("It asks nobody.")).toBeInTheDocument();
  });
});

describe("a screen reader in a presentation", () => {
  const announced = (text: string) =>
    waitFor(() => expect(screen.getByText(text)).toHaveAttribute("aria-live", "polite"));

  it("announces the question with its answers and, once they are revealed, the right one", async () => {
    present(frameAt(loss, 8), asked);
    await announced("Question: What next? Answers: A. It keeps m2. B. It truncates.");

    await fireEvent.keyDown(window, { key: "v" });

    await announced("Right answer: B. It truncates.");
  });

  it("announces the outcome when it changes", () => {
    present(frameAt(loss, 8));

    expect(screen.getByText("No acknowledged record is lost")).toHaveAttribute(
      "aria-live",
      "polite",
    );
  });
});

describe("the place in a presentation", () => {
  /** Steps of two messages each after the start. */
  const frames = loss.map((frame) => ({ ...frame, step: Math.ceil(frame.frame / 2) }));
  const story = frames
    .filter(({ frame }) => frame % 2 === 1)
    .map(
      ({ frame, step }) =>
        ({
          step,
          first_frame: frame,
          telling_frame: frame,
          title: { en: `title ${step}` },
          summary: { en: "" },
          marks: [],
          mark_frames: {},
          mark_counts: {},
        }) as unknown as StoryStep,
    );

  function presentAt(at: number, whole: boolean): string | null | undefined {
    const run = runOf(frames, { at, story, shared: { sid: "s", tip: 14 } });
    const caption = createRawSnippet(() => ({ render: () => "<span></span>" }));
    render(PresentView, {
      props: {
        player: new Player(run),
        frame: frameAt(frames, at),
        previous: null,
        whole,
        question: null,
        notes: [],
        title: "A record vanishes",
        catalogue,
        onward: () => undefined,
        onleave: () => undefined,
        caption,
      },
    });
    return document.querySelector("footer")?.textContent;
  }

  it("names the message, and the next step only if the next press leads to it", () => {
    const inside = presentAt(9, false);
    cleanup();
    const last = presentAt(10, false);

    expect(inside).toContain("Step 5 of 7 · message 1 of 2");
    expect(inside).not.toContain("next:");
    expect(last).toContain("Step 5 of 7 · message 2 of 2");
    expect(last).toContain("next: title 6");
  });

  it("names no message of a step that is shown as a whole", () => {
    const whole = presentAt(10, true);

    expect(whole).toContain("Step 5 of 7");
    expect(whole).not.toContain("message");
    expect(whole).toContain("next: title 6");
  });
});

it("keeps the rows of a presentation where they were at the start of the run", async () => {
  withRoom();

  present(reassigned(frameAt(loss, 8), [1, 2]));

  await waitFor(() => expect(rowNames()).toEqual(["Broker 2", "Broker 1"]));
});

it("keeps the focus in a presentation when the screen is blanked", async () => {
  present(frameAt(loss, 8));
  screen.getByRole("button", { name: "esc leave" }).focus();

  await fireEvent.keyDown(window, { key: "b" });

  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});
