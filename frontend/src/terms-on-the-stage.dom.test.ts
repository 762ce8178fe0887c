import { fireEvent, screen, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { renderIn } from "./language/render-fixture";
import { readMessages } from "../languages.config";
import type { Catalogue } from "./trace";
import { catalogue as fixture, frameAt, loss, repair } from "./trace/fixtures";
import { Stage, type StageProps } from "./view/stage";

/** With the engine's terms. */
const catalogue: Catalogue = {
  ...fixture,
  languages: Object.fromEntries(
    Object.entries(fixture.languages).map(([lang, texts]) => [
      lang,
      {
        ...texts,
        terms: Object.fromEntries(
          Object.entries(readMessages(lang, "narration/terms")).map(([id, { text }]) => [
            id,
            text ?? "",
          ]),
        ),
      },
    ]),
  ),
};

function show(props: Partial<StageProps> = {}, lang = "en") {
  return renderIn(lang)(Stage, {
    props: {
      frame: frameAt(repair, 1),
      previous: null,
      catalogue,
      depthOf: (frame: number) => frame,
      ...props,
    },
  });
}

function meaningOf(name: string): string | null {
  const mark = screen.getByRole("img", { name });
  mark.focus();
  return screen.getByRole("tooltip").textContent;
}

describe("the terms in the drawing", () => {
  it.each([
    ["Broker 1: HW 3", /^High watermark: every record below/],
    ["Broker 1: LEO 5", /^Log end offset: the offset that the next record/],
    ["Broker 1: epoch 2 → 3", /^A replica’s history of leaderships/],
    ["Broker 1: in sync", /^In-sync replicas/],
    ["Broker 1: leader", /^The replica that producers write to/],
    ["Broker 1: preferred leader", /^The first replica in the assignment/],
    ["Broker 1: flushed", /^Force written data to disk/],
  ])("explains %s", (name, meaning) => {
    show();

    expect(meaningOf(name)).toMatch(meaning);
  });

  it("explains what a leader knows of its followers", () => {
    show({ frame: frameAt(loss, 3) });
    const [known] = screen.getAllByRole("img", { name: /LEO of brokers? .* known/ });
    known?.focus();

    expect(screen.getByRole("tooltip")).toHaveTextContent(
      /^What the leader knows of a follower’s log end/,
    );
  });

  it("adds to a term the title that it covers", () => {
    show();

    expect(meaningOf("Broker 3: high watermark 3 in its checkpoint file")).toBe(
      "high watermark 3 in its checkpoint file. High watermark: every record below this offset is committed, and consumers read only up to it.",
    );
  });

  it("speaks Chinese", () => {
    show({}, "zh");

    expect(meaningOf("Broker 1：LEO 5")).toMatch(/^日志末端位移/);
  });

  it("has one stop of the Tab key, from which the arrow keys lead on", async () => {
    show();
    const marks = within(screen.getByRole("group", { name: "Terms in the drawing" })).getAllByRole(
      "img",
    );
    expect(marks.filter((one) => one.tabIndex === 0)).toHaveLength(1);

    marks[0]?.focus();
    await fireEvent.keyDown(marks[0] as HTMLElement, { key: "ArrowRight" });

    expect(marks[1]).toHaveFocus();
  });

  it("leaves clicks to what is drawn there", async () => {
    const onselect = vi.fn();
    show({ onselect });

    expect(screen.getByRole("img", { name: "Broker 1: in sync" })).toHaveClass("through");
    await fireEvent.click(screen.getByRole("button", { name: /^Broker 1, leader/ }));

    expect(onselect).toHaveBeenCalledWith({ kind: "broker", broker: 1 });
  });

  it("are none where there is no glossary", () => {
    show({ catalogue: fixture });

    expect(screen.queryByRole("group", { name: "Terms in the drawing" })).toBeNull();
  });
});
