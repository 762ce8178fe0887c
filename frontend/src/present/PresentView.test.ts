import { render, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { describe, expect, it } from "vitest";

import { api } from "../service/api";
import { Player } from "../session/player.svelte";
import { Run } from "../session/run.svelte";
import type { Frame, Produced, Property } from "../trace";
import { catalogue, frameAt, loss } from "../trace/fixtures";
import PresentView from "./PresentView.svelte";

const scenario = { id: "s", kafka: "0.10.2", title: { en: "A record vanishes", zh: "消失的消息" }, steps: [] };

function present(frame: Frame): void {
  // The test's document has no full screen.
  Object.assign(document, { exitFullscreen: () => Promise.resolve() });
  // A stored run has no followers, so nothing is requested.
  const run = new Run(api, null, "0.10.2", scenario, { title: scenario.title, summary: true, steps: [] }, [...loss], 14);
  const caption = createRawSnippet(() => ({ render: () => "<span>m2 is lost.</span>" }));
  render(PresentView, {
    props: { player: new Player(run), frame, previous: null, whole: false, question: null, title: "A record vanishes", catalogue, lang: "en", onward: () => undefined, onleave: () => undefined, caption },
  });
}

describe("the outcome in a presentation", () => {
  it("is a loss also if Kafka did not promise to keep the record", () => {
    const end = frameAt(loss, -1);
    const produced = end.state.clients.produced.map((record): Produced => (record.value === "m2" ? { ...record, acks: 1, fate: "lost" } : record));
    const holds = { status: "holds", first_frame: null, evidence: {} } as unknown as Property;

    present({ ...end, properties: { ...end.properties, NoAckedRecordLost: holds }, state: { ...end.state, clients: { ...end.state.clients, produced } } });

    expect(screen.getByText("m2 is lost (acks=1)")).toHaveClass("bad");
    expect(screen.queryByText("No acknowledged record is lost")).toBeNull();
  });

  it("is otherwise that nothing is lost", () => {
    present(frameAt(loss, 8));

    expect(screen.getByText("No acknowledged record is lost")).toHaveClass("good");
  });
});
